//! DBeast's own files are no source, whatever way leads to them.

use crate::support::{Desk, desk};
use serde_json::json;
use std::fs;
use std::path::Path;

async fn add(desk: &Desk, path: impl AsRef<Path>) -> crate::support::Answer {
    desk.post("/api/sources", json!({"name": "x", "path": path.as_ref()})).await
}

#[tokio::test]
async fn by_their_names_and_through_dots() {
    let desk = desk().await;
    let (here, own) = (desk.temp.path(), desk.temp.path().join("own"));
    fs::create_dir(here.join("other")).unwrap();
    for path in [
        own.clone(),
        own.join("config.json"),
        own.join("not there yet"),
        here.join("other/../own/config.json"),
        here.join("own/./config.json"),
        here.join("own/../own/config.json"),
    ] {
        add(&desk, path).await.is(422, "own_file");
    }
    assert_eq!(desk.view().await["sources"], json!({}));
    fs::write(here.join("own.db"), "").unwrap();
    fs::write(here.join("other/config.json"), "").unwrap();
    assert_eq!(add(&desk, here.join("own.db")).await.status, 201);
    assert_eq!(add(&desk, here.join("other/config.json")).await.status, 201);
    // No file of DBeast's own, but a source already.
    add(&desk, here.join("own/../own.db")).await.is(409, "source_exists");
}

#[cfg(unix)]
#[tokio::test]
async fn through_links() {
    use std::os::unix::fs::symlink;
    let desk = desk().await;
    let here = desk.temp.path();
    let file = here.join("own/config.json");
    fs::create_dir(here.join("own/deep")).unwrap();
    fs::write(here.join("own/deep/data"), "").unwrap();
    symlink(&file, here.join("soft")).unwrap();
    symlink("soft", here.join("softer")).unwrap();
    symlink(here.join("own"), here.join("folder")).unwrap();
    fs::hard_link(&file, here.join("hard")).unwrap();
    fs::hard_link(here.join("own/deep/data"), here.join("deep")).unwrap();
    symlink(here.join("hard"), here.join("soft to hard")).unwrap();
    // The way out of the folder and in again, by names that the text alone does not tell.
    symlink(here.join("own/deep"), here.join("inner")).unwrap();
    for path in ["soft", "softer", "folder/config.json", "hard", "deep", "soft to hard"] {
        add(&desk, here.join(path)).await.is(422, "own_file");
    }
    add(&desk, here.join("inner/../config.json")).await.is(422, "own_file");
    #[cfg(target_os = "linux")]
    {
        use std::os::fd::AsRawFd;
        let open = fs::File::open(&file).unwrap();
        add(&desk, format!("/proc/self/fd/{}", open.as_raw_fd())).await.is(422, "own_file");
        add(&desk, format!("/proc/self/root{}", file.display())).await.is(422, "own_file");
    }
    fs::write(here.join("plain"), "").unwrap();
    fs::hard_link(here.join("plain"), here.join("second name")).unwrap();
    assert_eq!(add(&desk, here.join("second name")).await.status, 201);
}
