"""The tables that the command writes, and their plots."""

import subprocess

import engine2d
import pytest

pytest.importorskip("pyarrow")
pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def folders(command, tmp_path_factory):
    """The same run as text and as Parquet."""
    found = {}
    for kind in ("csv", "parquet"):
        found[kind] = tmp_path_factory.mktemp(kind)
        line = [command, "run", "pile", "--until", "1.5", "--format", kind, "--out", str(found[kind])]
        subprocess.run(line, check=True, capture_output=True)
    return found


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_text_and_parquet_have_the_same_bits(folders, kind):
    pytest.importorskip(kind)
    text, parquet = (engine2d.read_run(folders[name], kind) for name in ("csv", "parquet"))
    assert text.trajectory.equals(parquet.trajectory) and text.contacts is None
    assert text.summary == parquet.summary and text.summary["digest"]
    assert len(text.events) == len(parquet.events) > 10


def test_events_agree_but_for_the_places_of_ends(folders):
    text, parquet = (engine2d.read_run(folders[name], "pyarrow").events.to_pylist() for name in ("csv", "parquet"))
    for one, other in zip(text, parquet):
        if one["event"] in ("contact_end", "accumulation"):
            one["x"] = one["y"] = other["x"] = other["y"] = None
        assert one == other


def test_contacts_are_those_of_a_world(folders):
    run = engine2d.read_run(folders["parquet"], "pyarrow")
    world, times, forces, names = engine2d.World.from_scene("pile"), [], [], []

    def look(world, report):
        times.extend([report.time] * len(report.contacts))
        forces.extend(report.contacts.force.tolist())
        names.extend(report.contacts.names)

    world.run(1.5, [look])
    assert run.contacts["time"].to_pylist() == times and run.contacts["force"].to_pylist() == forces
    assert list(zip(run.contacts["body_a"].to_pylist(), run.contacts["body_b"].to_pylist())) == names
    assert run.contacts.schema.field("force").metadata[b"unit"] == b"force"
    assert run.trajectory.schema.field("time").metadata[b"unit"] == b"time"


def test_plots_show_what_is_there(folders):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from engine2d import plot

    run = engine2d.read_run(folders["parquet"])
    body = next(name for name in run.trajectory.columns if name.endswith(".x"))[:-2]
    assert [len(line.get_xdata()) for line in plot.energy(run).lines] == [len(run.trajectory)] * 3
    assert plot.trajectory(run, body).lines[0].get_ydata().tolist() == run.trajectory[f"{body}.y"].tolist()
    assert plot.phase(run, body).lines[0].get_ydata().tolist() == run.trajectory[f"{body}.spin"].tolist()
    assert plot.contacts(run).lines[0].get_ydata().sum() == (~run.contacts["joint"]).sum()
    drawn = sum(len(line.get_xdata()) for line in plot.forces(run).lines)
    assert drawn == (~run.contacts["joint"]).sum()
    assert len(plot.events(run).lines) == run.events["event"].nunique()
    with pytest.raises(KeyError, match="no movable body"):
        plot.trajectory(run, "nobody")
    with pytest.raises(ValueError, match="--format parquet"):
        plot.forces(engine2d.read_run(folders["csv"]))


def test_what_is_no_run_is_refused(tmp_path, folders):
    with pytest.raises(FileNotFoundError):
        engine2d.read_run(tmp_path)
    with pytest.raises(ValueError, match="pandas, polars, pyarrow"):
        engine2d.read_run(folders["csv"], "numpy")
