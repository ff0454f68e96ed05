import type { FileSources } from '../../src/store/wholeFiles/fileFinder.ts';
import type { ObjectsOfForge } from '../../src/store/wholeFiles/preImage.ts';
import { historySource, type MadeSource } from './historySource.ts';
import { allObjects } from './storedObjects.ts';
import { gitIn } from './patchMakerGit.ts';

/** The server's response to a request for a blob by id. */
export type IdsOfServer = 'given out' | 'refused';

/** The files of a local repository, served like a forge. */
export interface GitFileSources {
	readonly sources: FileSources & { readonly forge: ObjectsOfForge };
	readonly history: MadeSource;
	/** Requests since the last call: commits, trees and contents. */
	requests(): number;
	/** The subject of each request since the last call. */
	asked(): readonly string[];
	/** Drops the known history, but keeps found files. */
	forgetHistory(): void;
	/** Drops everything. `main` is the newest commit, or `head`. */
	startAnew(head?: string): void;
}

/** Starts empty; caches requested data, as one window does. */
export function gitFileSources(
	folder: string,
	ids: IdsOfServer = 'refused',
	made = historySource(folder),
): GitFileSources {
	const asked: string[] = [];
	const contents = blobsOf(folder);
	const before = new Map<string, Uint8Array>();
	let isRefused = false;
	let newest: string | undefined;
	const kept = new Set<string>();
	const forge: ObjectsOfForge = {
		history: made,
		async head(_sinceMs, budget, signal) {
			newest ??= gitIn(folder, ['rev-parse', 'main']).toString().trim();
			const head = newest;
			if (made.knownCommit(head)) {
				return head;
			}
			budget.spend(signal);
			return (await made.commit(head, signal)).id;
		},
		async content(id, at, budget, signal) {
			if (!kept.has(id)) {
				budget.spend(signal);
				asked.push(`content ${at.path}`);
				kept.add(id);
			}
			return contents.get(id) ?? new Uint8Array();
		},
		byId: {
			canAsk: () => !isRefused,
			async content(id, budget, signal) {
				budget.spend(signal);
				asked.push(`id ${id}`);
				const found = ids === 'refused' ? undefined : [...contents].find(([full]) => full.startsWith(id))?.[1];
				isRefused ||= ids === 'refused';
				return found;
			},
			wasThere: () => undefined,
		},
	};
	const take = (): readonly string[] => [...made.asked.splice(0), ...asked.splice(0)];
	const forgetHistory = (): void => {
		made.forget();
		kept.clear();
	};
	return {
		history: made,
		sources: {
			before: {
				content: async (id) => before.get(id),
				note: (id, content) => void before.set(id, content),
			},
			clone: undefined,
			forge,
			history: undefined,
		},
		asked: take,
		requests: () => take().length,
		forgetHistory,
		startAnew(head) {
			newest = head;
			isRefused = false;
			before.clear();
			forgetHistory();
			take();
		},
	};
}

/** All files of all commits by id; by one process. */
function blobsOf(folder: string): ReadonlyMap<string, Uint8Array> {
	const blobs = Array.from(allObjects(folder).values()).filter(({ type }) => type === 'blob');
	return new Map(blobs.map(({ id, content }) => [id, content]));
}
