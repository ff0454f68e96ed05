import type { RawPage } from '../../answers/pagingWay.ts';
import { nextTurn } from '../../base/timeSlice.ts';
import { refText } from '../../forge/namedRef.ts';
import type { Commit, Reference, RepositoryRef } from '../../forge/repository.ts';
import type { NamedRepositories } from './namedRepositories.ts';
import type { TreeBeginning } from './gitAnswers.ts';
import { listLog, readHead, readRoot } from './objectDocuments.ts';
import { headRevision } from './revisions.ts';

/**
 * What whoever looks at a repository asks for next, asked for along with what they ask for now: the questions of one turn are
 * one request (docs/decisions/0028-questions-go-together.md). It is handed out once, and only while what was asked for
 * together is being read, so nobody is shown what stood there earlier. A folder is kept by its id, which holds for ever.
 */
export interface Visits {
	/** References are being asked for: the default branch comes along. Call `told` with all of them, or with nothing. */
	references(ref: RepositoryRef, signal: AbortSignal): { readonly told: (all?: readonly Reference[]) => void };
	/** The name of the default branch; where it is asked for now, its log and its root come along. */
	head(ref: RepositoryRef, signal: AbortSignal): Promise<HeadName | undefined>;
	/** The first page of a log; where it is asked for now, its root comes along. */
	log(ref: RepositoryRef, from: string | undefined, signal: AbortSignal): Promise<LogPage>;
	/** True for a repository that is known to be there and to have no commit; `undefined` where nobody has looked just now. */
	isEmpty(ref: RepositoryRef): boolean | undefined;
	/** Its names lead elsewhere from now on: what is being read is for those who have asked for it, and for nobody after them. */
	moved(ref: RepositoryRef): void;
	/** A folder that came along, once. */
	tree(ref: RepositoryRef, id: string): TreeBeginning | undefined;
}

type HeadName = { readonly name: string };
type LogPage = RawPage<Commit> | undefined;

/** One look at a repository. */
interface Visit {
	/** What is being read; some turns after the last of it the visit is over. */
	underWay: number;
	head: Promise<HeadName | undefined> | undefined;
	/** Once it was told. */
	branch: string | undefined;
	isHeadless: boolean;
	log: Promise<LogPage> | undefined;
	names: readonly Reference[] | undefined;
}

/** Whoever waited for one answer asks for the next one at once. */
const turnsAfter = 2;
/** Folders that nobody has asked for yet. */
const mostRoots = 32;

export function visits({ ask }: Pick<NamedRepositories, 'ask'>): Visits {
	const now = new Map<string, Visit>();
	const roots = new Map<string, TreeBeginning>();

	function visitOf(ref: RepositoryRef): Visit {
		const key = refText(ref);
		const visit = now.get(key) ?? {
			underWay: 0,
			head: undefined,
			branch: undefined,
			isHeadless: false,
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

	/** Counts a read as under way; who needs its answer hears of its failure from the read itself. */
	function during<T>(ref: RepositoryRef, visit: Visit, read: Promise<T>): Promise<T> {
		visit.underWay += 1;
		const end = (): void => void over(ref, visit);
		read.then(end, end);
		return read;
	}

	function askHead(ref: RepositoryRef, visit: Visit, signal: AbortSignal): Promise<HeadName | undefined> {
		const read = during(ref, visit, ask(readHead, ref, {}, signal)).then((head) => {
			visit.branch = head?.name;
			visit.isHeadless = head === undefined;
			return head;
		});
		read.catch(() => undefined);
		return read;
	}

	function bringRoot(ref: RepositoryRef, revision: string, signal: AbortSignal): void {
		ask(readRoot, ref, { revision }, signal).then(
			(root) => {
				if (root) {
					roots.set(keyOfTree(ref, root.tree.id), root);
					[...roots.keys()].slice(0, -mostRoots).forEach((key) => roots.delete(key));
				}
			},
			() => undefined,
		);
	}

	function askLog(ref: RepositoryRef, from: string | undefined, signal: AbortSignal): Promise<LogPage> {
		bringRoot(ref, from ?? headRevision, signal);
		return ask(listLog, ref, { from }, signal);
	}

	/** The log of the default branch is wanted, by one of its names. */
	function isOfHead({ branch, names }: Visit, from: string | undefined): boolean {
		return from === undefined || from === headRevision || (branch !== undefined && isNamed(branch, from, names));
	}

	return {
		references(ref, signal) {
			const visit = visitOf(ref);
			const { promise, resolve } = Promise.withResolvers<undefined>();
			void during(ref, visit, promise);
			visit.head ??= askHead(ref, visit, signal);
			return {
				told(all) {
					visit.names = all;
					resolve(undefined);
				},
			};
		},
		async head(ref, signal) {
			const visit = visitOf(ref);
			const came = visit.head;
			if (came === undefined || (visit.branch === undefined && !visit.isHeadless)) {
				visit.log ??= during(ref, visit, askLog(ref, undefined, signal));
				visit.log.catch(() => undefined);
			}
			visit.head ??= askHead(ref, visit, signal);
			const { head } = visit;
			return await head.catch((error: unknown) => {
				// Whoever asked for the references may have gone away.
				if (came === undefined || signal.aborted) {
					throw error;
				}
				return ask(readHead, ref, {}, signal);
			});
		},
		log(ref, from, signal) {
			const visit = now.get(refText(ref));
			const came = visit && isOfHead(visit, from) ? visit.log : undefined;
			if (!visit || !came) {
				return askLog(ref, from, signal);
			}
			visit.log = undefined;
			return came.catch((error: unknown) => {
				if (visit.isHeadless || signal.aborted) {
					throw error;
				}
				return askLog(ref, from, signal);
			});
		},
		isEmpty(ref) {
			const visit = now.get(refText(ref));
			return visit?.names && visit.head ? visit.isHeadless : undefined;
		},
		moved(ref) {
			now.delete(refText(ref));
		},
		tree(ref, id) {
			const key = keyOfTree(ref, id);
			const found = roots.get(key);
			roots.delete(key);
			return found;
		},
	};
}

function keyOfTree(ref: RepositoryRef, id: string): string {
	return JSON.stringify([ref.owner, ref.name, id]);
}

/** True where a revision can mean no other reference than this branch, and no commit (docs/protocol.md#revisions). */
function isNamed(branch: string, revision: string, names: readonly Reference[] | undefined): boolean {
	if (revision === branch) {
		return true;
	}
	const others = new Set([`refs/${revision}`, `refs/tags/${revision}`]);
	const isPlain =
		names !== undefined && !names.some(({ name }) => others.has(name)) && !/^[0-9a-f]{4,}$/i.test(revision);
	return isPlain && branch === `refs/heads/${revision}`;
}
