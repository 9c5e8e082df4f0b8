//! placeholder
pub struct Keeper;
impl Keeper {
    pub fn memory() -> Self { Self }
    pub fn save_vault(&self, _c: Vec<crate::reducer::effect::SavedClient>, _s: Vec<(crate::ids::SourceId, crate::events::Audience, crate::events::Level)>) {}
    pub fn save_sources(&self, _s: Vec<crate::reducer::effect::SavedSource>) {}
}
