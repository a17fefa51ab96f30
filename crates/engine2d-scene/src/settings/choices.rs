//! What settings choose among.

use crate::choice::choice;

choice! {
    /// A consistent set of rules for everything the settings do not name.
    #[derive(Default)]
    Profile {
        /// Fast complementarity solver, warm starts, joint projection.
        #[default]
        Engine2d = "engine2d",
        /// The rules of the recorded runs, draw for draw.
        Reference = "reference",
    }
}

choice! {
    /// How much physics is simulated.
    #[derive(Default)]
    Fidelity {
        /// Forces only: bodies pass through each other.
        Free = "free",
        /// Forces and collisions, without resting contact and connectors.
        Collisions = "collisions",
        /// Forces, collisions, resting contact and connectors.
        #[default]
        Contacts = "contacts",
    }
}

choice! {
    /// How simultaneous collisions are resolved.
    CollisionHandling {
        /// All at once.
        Simultaneous = "simultaneous",
        /// One random focus after another, each with the joints and the colliding neighbours of its bodies.
        Hybrid = "hybrid",
        /// One random collision after another, each with the joints of its bodies.
        SerialGrouped = "serial_grouped",
        /// As `serial_grouped`, then once all together without restitution.
        SerialGroupedLastPass = "serial_grouped_last_pass",
        /// One collision after another.
        SerialSeparate = "serial_separate",
        /// As `serial_separate`, then once all together without restitution.
        SerialSeparateLastPass = "serial_separate_last_pass",
    }
}

choice! {
    /// What contact forces correct besides acceleration.
    ExtraAcceleration {
        /// Nothing.
        None = "none",
        /// Normal velocity at contacts.
        Velocity = "velocity",
        /// Normal velocity at contacts and joints.
        VelocityJoints = "velocity_joints",
        /// Normal velocity and distance at contacts.
        VelocityAndDistance = "velocity_and_distance",
        /// Normal velocity and distance at contacts and joints.
        VelocityAndDistanceJoints = "velocity_and_distance_joints",
    }
}

choice! {
    /// An integrator with a fixed step.
    FixedSolver {
        /// First order, for comparison.
        Euler = "euler",
        /// Heun's two-stage method.
        ModifiedEuler = "modified_euler",
        /// The classical fourth-order method.
        RungeKutta4 = "runge_kutta4",
    }
}

choice! {
    /// Where contact forces come from.
    #[derive(Default)]
    ContactModel {
        /// Rigid bodies: complementarity of force and gap, impulses at collisions.
        #[default]
        Rigid = "rigid",
        /// Compliant surfaces: force from the depth of penetration, friction, rolling resistance. Needs the solver
        /// `dormand_prince`, and outlines that are discs or convex polygons.
        Compliant = "compliant",
    }
}
