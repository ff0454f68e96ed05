import type { RawPage } from '../../answers/pages.ts';
import { nextTurn } from '@forge-desk/base/timeSlice.ts';
import { refText } from '../../port/namedRef.ts';
import type { Commit, Reference, RepositoryRef } from '../../port/repository.ts';
import { type NamedRepositories, headRevision } from './namedRepositories.ts';
import type { TreeBeginning } from './gitAnswers.ts';
import { listLog, readHead, readRoot, type HeadOfRepository } from './gitDocuments.ts';
import type { GitReads } from '../../port/gitReads.ts';
import type { ForgeInstance } from '../../port/instance.ts';
import type { GraphqlCaller } from '../transport/graphqlCaller.ts';

type LogPage = RawPage<Commit> | undefined;

/** The requests around one opening of a repository. */
interface Visit {
	/** Pending reads. The visit ends a few turns after the last one. */
	underWay: number;
	/** From the references; `undefined` if they don't contain it. */
	toldHead: Promise<HeadOfRepository | undefined> | undefined;
	head: HeadOfRepository | undefined;
	log: Promise<LogPage> | undefined;
	names: readonly Reference[] | undefined;
}

/** Callers request the next part right after a response. */
const turnsAfter = 2;
/** Prefetched folders that nobody used yet. */
const mostRoots = 32;

/**
 * Prefetched responses for opening a repository. The references contain the default branch, and its log and root folder
 * go out together in two queries (docs/protocol.md#one-opening-field). Each response serves one caller, and only during
 * the visit, so nobody sees a stale state. Folders use their ids as keys, because an id's content never changes.
 */
export type OpenRepositories = ReturnType<typeof openRepositories>;

export function openRepositories({ ask }: NamedRepositories) {
	const now = new Map<string, Visit>();
	const roots = new Map<string, TreeBeginning>();

	function visitOf(ref: RepositoryRef): Visit {
		const key = refText(ref);
		const visit = now.get(key) ?? {
			underWay: 0,
			toldHead: undefined,
			head: undefined,
			log: undefined,
			names: undefined,
		};
		now.set(key, visit);
		return visit;
	}

	async function over(ref: RepositoryRef, visit: Visit): Promise<void> {
		for (let turn = 0; turn < turnsAfter; turn += 1) {
			await nextTurn();
		}
		visit.underWay -= 1;
		if (visit.underWay === 0 && now.get(refText(ref)) === visit) {
			now.delete(refText(ref));
		}
	}

	/** Counts a read as pending. Its failure reaches the caller. */
	function during<T>(ref: RepositoryRef, visit: Visit, read: Promise<T>): Promise<T> {
		visit.underWay += 1;
		const end = (): void => void over(ref, visit);
		read.then(end, end);
		return read;
	}

	function askLog(ref: RepositoryRef, from: string | undefined, signal: AbortSignal): Promise<LogPage> {
		return ask(listLog, ref, { from }, signal);
	}

	return {
		/**
		 * Call it before reading references. Call `came` with the first page, and with all references once known; always
		 * call `over` at the end.
		 */
		references(ref: RepositoryRef): {
			readonly came: (first: readonly Reference[], all: readonly Reference[] | undefined) => void;
			readonly over: () => void;
		} {
			const visit = visitOf(ref);
			const { promise, resolve } = Promise.withResolvers<HeadOfRepository | undefined>();
			void during(ref, visit, promise);
			visit.toldHead = promise;
			return {
				came(first, all) {
					visit.names = all;
					const branch = first.find(({ name }) => name === headRevision)?.target;
					if (branch?.startsWith('refs/') !== true) {
						return;
					}
					const isThere = (all ?? first).some(({ name }) => name === branch);
					// The first page does not show whether its branch exists.
					const head = isThere ? { branch } : all && { branch: undefined };
					if (head) {
						visit.head = head;
						resolve(head);
					}
				},
				over: () => resolve(undefined),
			};
		},
		/**
		 * The default branch; `undefined` if the repository doesn't exist or the account can't see it. Prefetches its log
		 * and root folder.
		 */
		async head(ref: RepositoryRef, signal: AbortSignal) {
			const visit = visitOf(ref);
			if (!visit.head && !visit.log) {
				visit.log = during(ref, visit, askLog(ref, undefined, signal));
				visit.log.catch(() => undefined);
				ask(readRoot, ref, { revision: headRevision }, signal).then(
					(root) => {
						if (root) {
							roots.set(keyOfTree(ref, root.tree.id), root);
							[...roots.keys()].slice(0, -mostRoots).forEach((key) => roots.delete(key));
						}
					},
					() => undefined,
				);
			}
			const known = visit.head ?? (await visit.toldHead);
			if (known) {
				return known;
			}
			const head = await during(ref, visit, ask(readHead, ref, {}, signal));
			visit.head = head;
			return head;
		},
		/** The first page of a log. */
		log(ref: RepositoryRef, from: string | undefined, signal: AbortSignal) {
			const visit = now.get(refText(ref));
			const branch = visit?.head?.branch;
			const isOfHead =
				from === undefined || from === headRevision || (branch !== undefined && isNamed(branch, from, visit?.names));
			const came = isOfHead ? visit?.log : undefined;
			if (!visit || !came) {
				return askLog(ref, from, signal);
			}
			visit.log = undefined;
			return came.catch((error: unknown) => {
				if (isHeadless(visit) === true || signal.aborted) {
					throw error;
				}
				return askLog(ref, from, signal);
			});
		},
		/** True if `HEAD` is dangling; `undefined` if this visit hasn't read it. */
		isEmpty(ref: RepositoryRef) {
			const visit = now.get(refText(ref));
			return visit && isHeadless(visit);
		},
		/** The default branch changed: pending responses serve only their current callers. */
		moved(ref: RepositoryRef) {
			now.delete(refText(ref));
		},
		/** A prefetched root folder. Removes it from the cache. */
		tree(ref: RepositoryRef, id: string) {
			const key = keyOfTree(ref, id);
			const found = roots.get(key);
			roots.delete(key);
			return found;
		},
	};
}

function isHeadless({ head }: Visit): boolean | undefined {
	return head && head.branch === undefined;
}

function keyOfTree(ref: RepositoryRef, id: string): string {
	return JSON.stringify([ref.owner, ref.name, id]);
}

/**
 * True if a revision unambiguously names this branch, and not a commit or another reference
 * (docs/protocol.md#revisions).
 */
function isNamed(branch: string, revision: string, names: readonly Reference[] | undefined): boolean {
	if (revision === branch) {
		return true;
	}
	const others = new Set([`refs/${revision}`, `refs/tags/${revision}`]);
	const isPlain =
		names !== undefined && !names.some(({ name }) => others.has(name)) && !/^[0-9a-f]{4,}$/i.test(revision);
	return isPlain && branch === `refs/heads/${revision}`;
}

/** What reads and writes of the repository service share. */
export interface GitService {
	readonly caller: GraphqlCaller;
	readonly named: NamedRepositories;
	readonly openRepositories: OpenRepositories;
	readonly instance: ForgeInstance;
	/** Reads over Git the data that the API loses. Without it, possibly incomplete results say so. */
	readonly git: GitReads | undefined;
}
