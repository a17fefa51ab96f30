//! The files that observers write of a run, read back: against the world they looked at, and against closed forms.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_sim::{Attachment, Body, Connector, UserEvent, World};
use engine2d_table::{Column, ContactTable, EventTable, Table, TableError, TrajectoryTable, Values};
use engine2d_watch::{Observer, run};
use parquet::arrow::ArrowWriter;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const G: f64 = 8.0;

/// Share to which forces and moments agree with their closed forms.
const CLOSED_FORM: f64 = 1e-8;

fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn read(path: &Path) -> Table {
    Table::read_parquet(File::open(path).unwrap()).unwrap()
}

fn column<'t>(table: &'t Table, name: &str) -> &'t Column {
    table.columns().iter().find(|column| column.name() == name).unwrap_or_else(|| panic!("no column {name}"))
}

fn numbers(table: &Table, name: &str) -> Vec<Option<f64>> {
    let Values::Numbers(values) = column(table, name).values() else { panic!("{name} has no numbers") };
    values.clone()
}

fn texts(table: &Table, name: &str) -> Vec<Option<String>> {
    let Values::Texts(values) = column(table, name).values() else { panic!("{name} has no texts") };
    values.clone()
}

fn near(value: Option<f64>, expected: f64) {
    assert!(value.is_some_and(|v| (v - expected).abs() < CLOSED_FORM), "{value:?}, not {expected}");
}

/// A block that rests on a floor, a ball that falls by 1 beside it, and another one that hangs from a rod.
fn block_and_ball() -> World {
    World::builder()
        .gravity(G)
        .body(Body::block(12.0, 1.0).fixed().restitution(0.5).at(0.0, -0.5).named("floor"))
        .body(Body::block(1.0, 1.0).mass(2.0).at(0.0, 0.5).named("block"))
        .body(Body::ball(0.5).mass(3.0).restitution(0.5).at(4.0, 1.5).named("ball"))
        .body(Body::ball(0.25).mass(1.5).at(8.0, 3.0).named("hung"))
        .connector(Connector::Rod {
            ends: [Attachment::ground([8.0, 5.0]), Attachment::body(3, [0.0, 0.0])],
            length: 2.0,
        })
        .build()
        .unwrap()
}

#[test]
fn a_trajectory_has_the_motion_and_the_forces_asked_for() {
    let path = place("trajectory.parquet");
    let mut world = block_and_ball();
    let pair = ["block".to_owned(), "floor".to_owned()];
    let mut table = TrajectoryTable::new(File::create(&path).unwrap()).with_forces(vec![pair]);
    run(&mut world, 1.0, 0.25, &mut [&mut table]).unwrap();
    table.finish().unwrap();
    let read = read(&path);
    assert_eq!(read.rows(), 5, "the start and four steps");
    assert_eq!(numbers(&read, "time"), [0.0, 0.25, 0.5, 0.75, 1.0].map(Some));
    let ball = world.body("ball").unwrap();
    for (name, unit, last) in [
        ("ball.x", "length", ball.position().x),
        ("ball.y", "length", ball.position().y),
        ("ball.vy", "length/time", ball.velocity().y),
        ("ball.spin", "angle/time", ball.angular_velocity()),
        ("total_energy", "energy", world.energy().total()),
        ("kinetic_energy", "energy", world.energy().kinetic()),
    ] {
        assert_eq!((column(&read, name).unit(), numbers(&read, name)[4]), (unit, Some(last)), "{name}");
    }
    near(numbers(&read, "ball.y")[1], 1.5 - G * 0.25 * 0.25 / 2.0);
    near(numbers(&read, "block/floor.normal_force")[4], 2.0 * G);
    near(numbers(&read, "block/floor.slip_speed")[4], 0.0);
    assert!(read.columns().iter().all(|column| !column.name().starts_with("floor.")), "it does not move");
}

#[test]
fn contacts_have_their_forces_and_rods_are_marked() {
    let path = place("contacts.parquet");
    let mut world = block_and_ball();
    let mut table = ContactTable::new(File::create(&path).unwrap());
    run(&mut world, 0.25, 0.25, &mut [&mut table]).unwrap();
    table.finish().unwrap();
    let read = read(&path);
    let Values::Flags(rods) = column(&read, "joint").values() else { panic!("flags") };
    let (forces, normals) = (numbers(&read, "force"), numbers(&read, "normal_y"));
    let of = |rod: bool| {
        let rows = (0..read.rows()).filter(move |row| rods[*row] == Some(rod));
        rows.map(|row| forces[row].unwrap() * normals[row].unwrap().abs()).sum::<f64>()
    };
    near(Some(of(false)), 2.0 * G);
    near(Some(of(true).abs()), 1.5 * G);
    let sides = [texts(&read, "body_a"), texts(&read, "body_b")].concat();
    for name in ["block", "floor", "hung", "ground"] {
        assert!(sides.contains(&Some(name.to_owned())), "{name} is in no row");
    }
    assert!(!sides.contains(&Some("ball".to_owned())), "it falls");
}

#[test]
fn events_have_what_belongs_to_their_kind() {
    let path = place("events.parquet");
    let mut world = block_and_ball();
    world
        .add_event(UserEvent::new("half way", |set| set.get(2).map_or(1.0, |b| b.position().y - 1.0)))
        .unwrap();
    let mut table = EventTable::new(File::create(&path).unwrap());
    run(&mut world, 0.75, 0.25, &mut [&mut table]).unwrap();
    table.finish().unwrap();
    let read = read(&path);
    let kinds = texts(&read, "event");
    let row = |kind: &str| kinds.iter().position(|own| own.as_deref() == Some(kind)).unwrap();
    let told = row("user");
    assert_eq!(texts(&read, "name")[told].as_deref(), Some("half way"));
    near(numbers(&read, "time")[told], (2.0 * 0.5 / G).sqrt());
    assert_eq!((numbers(&read, "impulse")[told], texts(&read, "body_a")[told].clone()), (None, None));
    let hit = row("collision");
    near(numbers(&read, "time")[hit], 0.5);
    near(numbers(&read, "impulse")[hit], 3.0 * (4.0 + 2.0));
    near(numbers(&read, "velocity_before")[hit].map(f64::abs), 4.0);
    near(numbers(&read, "velocity_after")[hit].map(f64::abs), 2.0);
    near(numbers(&read, "y")[hit], 0.0);
    assert_eq!((numbers(&read, "energy")[hit], texts(&read, "name")[hit].clone()), (None, None));
}

#[test]
fn more_rows_than_a_group_holds_come_back_in_order() {
    /// More than the 65,536 rows that are written at once.
    const STEPS: usize = 66_000;
    let path = place("long.parquet");
    let mut world = World::builder().body(Body::ball(0.5).velocity(1.0, 0.0).named("ball")).build().unwrap();
    let mut table = TrajectoryTable::new(File::create(&path).unwrap());
    table.start(&world).unwrap();
    for _ in 0..STEPS {
        let report = world.advance(0.5).unwrap();
        table.step(&world, &report).unwrap();
    }
    table.finish().unwrap();
    let times = numbers(&read(&path), "time");
    assert!(
        times.iter().zip(0..).all(|(time, k)| *time == Some(0.5 * f64::from(k))) && times.len() == STEPS + 1
    );
}

/// A disk with no room.
struct Full;

impl Write for Full {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_disk_without_room_is_told() {
    let columns = [Column::numbers("x", "length", vec![1.0])];
    let error = Table::new(columns.to_vec()).unwrap().write_parquet(Full, &[]).unwrap_err();
    assert!(matches!(error, TableError::Parquet(_)), "{error}");
    let mut table = TrajectoryTable::new(Full);
    let told = run(&mut block_and_ball(), 0.25, 0.25, &mut [&mut table])
        .map_err(|error| error.to_string())
        .and_then(|()| table.finish().map_err(|error| io::Error::from(error).to_string()));
    assert!(told.unwrap_err().contains("the table cannot be written"));
}

#[test]
fn columns_that_no_table_has_are_refused() {
    let path = place("other.parquet");
    let kind = arrow_schema::DataType::Float32;
    let schema = Arc::new(arrow_schema::Schema::new(vec![arrow_schema::Field::new("small", kind, true)]));
    let mut writer = ArrowWriter::try_new(File::create(&path).unwrap(), Arc::clone(&schema), None).unwrap();
    let values = Arc::new(arrow_array::Float32Array::from(vec![1.0]));
    writer.write(&arrow_array::RecordBatch::try_new(schema, vec![values]).unwrap()).unwrap();
    writer.close().unwrap();
    let error = Table::read_parquet(File::open(&path).unwrap()).unwrap_err().to_string();
    assert!(error.starts_with("column \"small\" is of kind Float32"), "{error}");
}
