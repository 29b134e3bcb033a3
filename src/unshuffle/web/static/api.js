/** The API of the server as functions: answers, errors, and jobs with their progress. */

/** An error answer of the server, with its message. */
export class ApiError extends Error {
  constructor(status, { detail, faults } = {}) {
    super(typeof detail === "string" ? detail : `The server refused this (${status}).`);
    this.status = status;
    this.faults = faults ?? [];
  }
}

/** The server did not answer. */
export class Unreachable extends Error {
  constructor() {
    super("The server does not answer.");
  }
}

const watchers = new Set();
let isGone = false;

/** Call `watcher(isGone)` when the server goes and when it comes back; returns a function that ends it. */
export function onServer(watcher) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

function tell(gone) {
  if (gone === isGone) return;
  isGone = gone;
  for (const watcher of [...watchers]) watcher(gone);
  if (gone) knock(500);
}

/** Ask repeatedly, with growing pauses, until the server answers. */
function knock(wait) {
  setTimeout(async () => {
    try {
      await fetch("api/about", { cache: "no-store" });
      tell(false);
    } catch {
      knock(Math.min(wait * 1.5, 5000));
    }
  }, wait);
}

/** One call. `body` is sent as JSON; the answer is JSON, or null where there is none. */
export async function call(method, path, body) {
  let response;
  try {
    response = await fetch(`api/${path}`, {
      method,
      cache: "no-store",
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    tell(true);
    throw new Unreachable();
  }
  tell(false);
  if (response.status === 204) return null;
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new ApiError(response.status, answer);
  return answer;
}

export const get = (path) => call("GET", path);
export const post = (path, body = {}) => call("POST", path, body);
export const remove = (path) => call("DELETE", path);

/** A part of a path. */
export const part = encodeURIComponent;

let gamesOnce = null;

/** All games, asked for once. */
export function games() {
  gamesOnce ??= get("games").catch((error) => {
    gamesOnce = null;
    throw error;
  });
  return gamesOnce;
}

/**
 * Start a job. `onProgress(job)` is called as it goes on.
 * Returns { id, done, cancel }: `done` is the promise of the ended job, which fails if the job did; a cancelled job is an answer.
 */
export async function startJob(body, onProgress = () => {}) {
  const job = await post("jobs", body);
  const path = `jobs/${part(job.id)}`;
  let isOver = false;
  const done = follow(path, job, onProgress).finally(() => (isOver = true));
  // A caller that cancels may not await `done`, so its failure must not be reported as unhandled.
  done.catch(() => {});
  return { id: job.id, done, cancel: async () => (isOver ? null : remove(path).catch(() => null)) };
}

/** Run a job to its end and return its result. */
export async function runJob(body, onProgress) {
  const { done } = await startJob(body, onProgress);
  return (await done).result;
}

function follow(path, first, onProgress) {
  return new Promise((resolve, reject) => {
    const end = (job) => {
      source.close();
      if (job.status === "failed") reject(new ApiError(500, { detail: job.error ?? "The job failed." }));
      else resolve(job);
    };
    const source = new EventSource(`api/${path}/events`);
    if (isEnded(first)) return void end(first);
    source.addEventListener("progress", (event) => onProgress(JSON.parse(event.data)));
    source.addEventListener("end", (event) => end(JSON.parse(event.data)));
    source.addEventListener("error", () => {
      source.close();
      poll(path, onProgress).then(end, reject);
    });
  });
}

const isEnded = (job) => ["done", "failed", "cancelled"].includes(job.status);

/** The stream broke: ask for the job itself until it has ended. */
async function poll(path, onProgress) {
  for (;;) {
    const job = await get(path);
    if (isEnded(job)) return job;
    onProgress(job);
    await new Promise((wake) => setTimeout(wake, 700));
  }
}
