//! Lets Tauri read its configuration, and the capabilities and permissions that live in `src-tauri/`.

use tauri_build::{AppManifest, Attributes};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=src-tauri/capabilities");
    println!("cargo:rerun-if-changed=src-tauri/permissions");
    println!("cargo:rerun-if-changed=src-tauri/isolation");
    let attributes = Attributes::new()
        .capabilities_path_pattern("./src-tauri/capabilities/**/*")
        .app_manifest(AppManifest::new().permissions_path_pattern("./src-tauri/permissions/**/*"));
    tauri_build::try_build(attributes)?;
    Ok(())
}
