//! Beam search passes over open tables: a layer for each number of rows left.

use super::children::{Child, Filter};
use super::moves::Move;
use super::node::{Ground, Node};
use super::weights::{Taste, Weights};

/// The greatest number of levels of a layer: with rows left, and without.
const DEPTHS: (usize, usize) = (60, 200);
/// A layer ends after this number of levels without a better table: with rows left, and without.
const IDLE: (usize, usize) = (10, 41);

#[derive(Clone, Copy)]
pub struct Candidate {
    pub cost: i32,
    pub parent: u32,
    pub hash: u64,
    pub m: Move,
}

impl Candidate {
    /// Returns the sort key: cost, then hash. Several moves may lead to one table; the parent and the move make the
    /// order total, so that every sort gives the same result.
    pub fn order(&self) -> (i32, u64, u32, Move) {
        (self.cost, self.hash, self.parent, self.m)
    }

    /// Cuts a list that has grown long to the cheapest candidates; returns the cost from which on new candidates may be
    /// ignored.
    pub fn cut(candidates: &mut Vec<Candidate>, width: usize) -> Option<i32> {
        if candidates.len() <= 6 * width {
            return None;
        }
        candidates.select_nth_unstable_by_key(3 * width, Candidate::order);
        let limit = candidates[3 * width].cost + 1;
        candidates.truncate(3 * width);
        Some(limit)
    }
}

/// A link of a line: the move that made a table, and the index of its parent's link.
#[derive(Clone, Copy)]
pub struct Link {
    pub parent: u32,
    pub m: Move,
}

pub const ROOT: u32 = u32::MAX;

/// The hashes met so far, in a hash table that doubles.
pub struct Seen {
    slots: Vec<u64>,
    count: usize,
}

impl Seen {
    pub fn new() -> Seen {
        Seen { slots: vec![0; 1 << 12], count: 0 }
    }

    pub fn clear(&mut self) {
        self.slots.fill(0);
        self.count = 0;
    }

    #[inline(always)]
    fn place(&self, hash: u64) -> (usize, bool) {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at] != 0 {
            if self.slots[at] == hash {
                return (at, true);
            }
            at = (at + 1) & mask;
        }
        (at, false)
    }

    pub fn contains(&self, hash: u64) -> bool {
        self.place(hash).1
    }

    /// Adds a hash; returns true if it is new.
    pub fn insert(&mut self, hash: u64) -> bool {
        let (at, found) = self.place(hash);
        if found {
            return false;
        }
        self.slots[at] = hash;
        self.count += 1;
        if 2 * self.count > self.slots.len() {
            let old = std::mem::take(&mut self.slots);
            self.slots = vec![0; 2 * old.len()];
            for hash in old.into_iter().filter(|&hash| hash != 0) {
                let (at, _) = self.place(hash);
                self.slots[at] = hash;
            }
        }
        true
    }
}

/// The best tables of a layer, from all its levels, for the row.
struct RowList {
    width: usize,
    /// Cost after the row, table, and the moves that fill its empty piles first.
    kept: Vec<(i32, Node, Vec<Move>)>,
    /// Once the list is full, only cheaper tables than this are added.
    worst: i32,
}

impl RowList {
    fn takes(&self, cost: i32) -> bool {
        self.kept.len() < self.width || cost < self.worst
    }

    fn offer(&mut self, cost: i32, node: &Node, fills: Vec<Move>) -> bool {
        if !self.takes(cost) {
            return false;
        }
        if self.kept.len() < self.width {
            self.kept.push((cost, node.clone(), fills));
        } else {
            let (place, _) =
                self.kept.iter().enumerate().max_by_key(|(_, kept)| kept.0).expect("a width of at least 1");
            self.kept[place] = (cost, node.clone(), fills);
        }
        if self.kept.len() == self.width {
            self.worst = self.kept.iter().map(|kept| kept.0).max().unwrap_or(i32::MAX);
        }
        true
    }
}

/// The result of one pass; without a win, the line to the best table of the last layer.
pub enum Passed {
    Won(Vec<Move>),
    Dry(Vec<Move>),
    Stopped(Vec<Move>),
}

/// How a layer ended.
enum Ended {
    /// The index of the link of the winning move.
    Won(u32),
    Dry,
    Stopped,
}

pub struct Beam<'a> {
    ground: &'a Ground,
    /// The cost of each move on the line to a table.
    pub price: i32,
    /// Lines with this number of moves or more are given up.
    pub below: u32,
    /// The number of tables expanded.
    pub nodes: u64,
    links: Vec<Link>,
    seen: Seen,
    /// The cheapest table of the layer, as its cost and the index of its link.
    cheapest: (i32, u32),
}

impl<'a> Beam<'a> {
    pub fn new(ground: &'a Ground) -> Beam<'a> {
        Beam {
            ground,
            price: 0,
            below: u32::MAX,
            nodes: 0,
            links: Vec::new(),
            seen: Seen::new(),
            cheapest: (i32::MAX, ROOT),
        }
    }

    /// Runs one pass of this width; `go_on` is called once a level and may stop it.
    pub fn pass(
        &mut self,
        start: &Node,
        width: usize,
        taste: &Taste,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Passed {
        let ground = self.ground;
        self.links.clear();
        let mut level = vec![start.clone()];
        level[0].trail = ROOT;
        for rows in (0..=start.rows).rev() {
            let weights = taste.weights(rows);
            for node in &mut level {
                node.rescan(ground, &weights);
            }
            self.seen.clear();
            for node in &level {
                self.seen.insert(node.hash);
            }
            self.cheapest = (level[0].cost, level[0].trail);
            let mut list = RowList { width, kept: Vec::new(), worst: i32::MAX };
            match self.layer(level, width, &weights, &mut list, go_on) {
                Ended::Won(trail) => return Passed::Won(self.line(trail)),
                Ended::Stopped => return Passed::Stopped(self.line(self.cheapest.1)),
                Ended::Dry if rows == 0 || list.kept.is_empty() => break,
                Ended::Dry => {}
            }
            list.kept.sort_by_key(|(cost, node, _)| (*cost, node.hash));
            level = Vec::with_capacity(width);
            for (_, mut node, fills) in list.kept {
                for m in fills.into_iter().chain([Move::Row]) {
                    node.apply(ground, m, &weights);
                    node.trail = self.link(node.trail, m);
                }
                if node.done == ground.runs {
                    return Passed::Won(self.line(node.trail));
                }
                level.push(node);
            }
        }
        Passed::Dry(self.line(self.cheapest.1))
    }

    fn layer(
        &mut self,
        mut level: Vec<Node>,
        width: usize,
        weights: &Weights,
        list: &mut RowList,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Ended {
        let ground = self.ground;
        let filter = Filter { splits: false, parts_to_empty: true };
        let rows = level[0].rows;
        let (depth, most_idle) = if rows > 0 { (DEPTHS.0, IDLE.0) } else { (DEPTHS.1, IDLE.1) };
        let (mut idle, mut lowest) = (0, i32::MAX);
        let mut candidates: Vec<Candidate> = Vec::with_capacity(6 * width + 256);
        for _ in 0..depth {
            if !go_on(self.nodes) {
                return Ended::Stopped;
            }
            candidates.clear();
            let mut limit = i32::MAX;
            let (mut is_better, mut won) = (false, None);
            for (place, node) in level.iter().enumerate() {
                self.nodes += 1;
                if self.below < u32::MAX && node.made + node.least_moves(ground) >= self.below {
                    continue;
                }
                if rows > 0 {
                    is_better |= offer(ground, node, weights, list, self.price);
                }
                let price = self.price * node.made as i32;
                let seen = &self.seen;
                node.children(ground, filter, weights, |m, Child { cost, hash, completes, .. }| {
                    if completes && node.done + 1 == ground.runs {
                        won = Some(m);
                        return;
                    }
                    let cost = cost + price;
                    if cost < limit && !seen.contains(hash) {
                        candidates.push(Candidate { cost, parent: place as u32, hash, m });
                    }
                });
                if let Some(m) = won {
                    return Ended::Won(self.link(node.trail, m));
                }
                limit = Candidate::cut(&mut candidates, width).unwrap_or(limit);
            }
            if rows == 0 {
                let best = candidates.iter().map(|candidate| candidate.cost).min().unwrap_or(i32::MAX);
                is_better = best < lowest;
                lowest = lowest.min(best);
            }
            idle = if is_better { 0 } else { idle + 1 };
            if idle >= most_idle || candidates.is_empty() {
                break;
            }
            candidates.sort_unstable_by_key(Candidate::order);
            let mut next = Vec::with_capacity(width);
            for candidate in &candidates {
                if next.len() == width {
                    break;
                }
                if !self.seen.insert(candidate.hash) {
                    continue;
                }
                let parent = &level[candidate.parent as usize];
                let mut node = parent.clone();
                node.apply(ground, candidate.m, weights);
                debug_assert_eq!(node.cost + self.price * parent.made as i32, candidate.cost);
                debug_assert_eq!(node.hash, candidate.hash);
                node.trail = self.link(parent.trail, candidate.m);
                self.cheapest = self.cheapest.min((node.cost, node.trail));
                next.push(node);
            }
            if next.is_empty() {
                break;
            }
            level = next;
        }
        Ended::Dry
    }

    fn link(&mut self, parent: u32, m: Move) -> u32 {
        self.links.push(Link { parent, m });
        self.links.len() as u32 - 1
    }

    fn line(&self, mut trail: u32) -> Vec<Move> {
        let mut line = Vec::new();
        while trail != ROOT {
            let Link { parent, m } = self.links[trail as usize];
            line.push(m);
            trail = parent;
        }
        line.reverse();
        line
    }
}

/// Offers a table for the row; where no row may be dealt on empty piles, they are filled first.
fn offer(ground: &Ground, node: &Node, weights: &Weights, list: &mut RowList, price: i32) -> bool {
    let priced = |node: &Node| node.cost_after_row(ground, weights) + price * node.made as i32;
    if ground.deal_on_empty || node.empty == 0 {
        return list.offer(priced(node), node, Vec::new());
    }
    match node.fills(ground, weights) {
        Some((filled, line)) => {
            let cost = priced(&filled);
            list.takes(cost) && list.offer(cost, node, line)
        }
        None => false,
    }
}
