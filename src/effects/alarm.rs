//! The one alarm: sends `TimePassed` when the earliest deadline of the state has come.

use crate::events::ServerEvent;
use crate::store::Store;
use crate::time::{Duration, Millis};
use tokio::sync::watch;

/// How long it waits at most before it looks at the clock again: its own wait stands still while the machine
/// sleeps, the store's clock does not.
const LOOK_AGAIN: Duration = Duration::seconds(30);

/// Waits for the alarm and sends `TimePassed`, until every setter is gone.
///
/// An alarm that went off stays in the state if it went off too early by a rounding; so it is looked
/// at again after each one.
pub(super) async fn run(store: Store, mut alarm: watch::Receiver<Option<Millis>>) {
    loop {
        let at = *alarm.borrow_and_update();
        let Some(at) = at else {
            if alarm.changed().await.is_err() {
                return;
            }
            continue;
        };
        let wait = at.since(store.now());
        if wait > Duration(0) {
            tokio::select! {
                () = tokio::time::sleep(wait.min(LOOK_AGAIN).to_std()) => {}
                changed = alarm.changed() => {
                    if changed.is_err() {
                        return;
                    }
                }
            }
            continue;
        }
        // The answer carries nothing; the effects of the event set the next alarm.
        let _ = store.send(ServerEvent::TimePassed).await;
        if alarm.has_changed().is_err() {
            return;
        }
        let is_same = *alarm.borrow() == Some(at) && store.state().alarm == Some(at);
        if !is_same && alarm.changed().await.is_err() {
            return;
        }
    }
}
