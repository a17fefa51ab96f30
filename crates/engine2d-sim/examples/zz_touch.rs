//! x
use engine2d_sim::*;
fn main() {
    for (name, vx, vy, e) in [
        ("rest", 0.0, 0.0, 0.8),
        ("side", 1.0, 0.0, 0.8),
        ("out", 0.0, -2.0, 0.8),
        ("out e0", 0.0, -2.0, 0.0),
        ("tiny", 0.0, -0.1, 0.8),
    ] {
        let mut w = World::builder()
            .gravity(9.81)
            .body(Body::ball(0.1).at(0.0, -1.0).velocity(vx, vy).elasticity(e))
            .connector(Connector::Rope {
                ends: [Attachment::ground([0.0, 0.0]), Attachment::body(0, [0.0, 0.0])],
                length: 1.0,
            })
            .build()
            .unwrap();
        let mut r = Ok(());
        for _ in 0..80 {
            if let Err(e) = w.advance(0.025) {
                r = Err(e);
                break;
            }
        }
        println!("rope {name}: {r:?} t={} {:?}", w.time(), w.connector_distances());
        let mut w = World::builder()
            .gravity(9.81)
            .body(Body::wall(10.0, 1.0).at(0.0, -0.5))
            .body(Body::block(1.0, 1.0).at(0.0, 0.5).velocity(vx, vy).elasticity(e))
            .body(Body::ball(0.5).at(2.0, 0.5).velocity(vx, vy).elasticity(e))
            .body(Body::block(1.0, 1.0).at(0.0, 1.5).velocity(vx, vy).elasticity(e))
            .build()
            .unwrap();
        let mut r = Ok(());
        for _ in 0..80 {
            if let Err(e) = w.advance(0.025) {
                r = Err(e);
                break;
            }
        }
        println!(
            "block {name}: {r:?} t={} {:?} {:?}",
            w.time(),
            w.body(1).unwrap().position(),
            w.body(2).unwrap().position()
        );
    }
}
