//! Lets Tauri read its configuration and the capabilities, which live in `src-tauri/`.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=src-tauri/capabilities");
    let attributes =
        tauri_build::Attributes::new().capabilities_path_pattern("./src-tauri/capabilities/**/*");
    tauri_build::try_build(attributes)?;
    Ok(())
}
