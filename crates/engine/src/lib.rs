//! The embeddable engine: projects, configuration, trust, the sample project.
