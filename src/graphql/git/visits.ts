import type { RawPage } from '../../answers/pagingWay.ts';
import { nextTurn } from '../../base/timeSlice.ts';
import { refText } from '../../forge/namedRef.ts';
import type { Commit, Reference, RepositoryRef } from '../../forge/repository.ts';
import type { NamedRepositories } from './namedRepositories.ts';
import type { TreeBeginning } from './gitAnswers.ts';
import { listLog, readHead, readRoot, type HeadOfRepository } from './objectDocuments.ts';
import { headRevision } from './revisions.ts';

/**
 * Answers that a look at a repository needs and that came along or were requested ahead: the default branch stands among the
 * references, and its log and root folder are requested together, each by itself
 * (docs/protocol.md#one-opening-field). Each answer is handed out once, and only while the look goes on, so nobody sees an
 * older state. A folder is kept by its id, which never changes its content.
 */
export interface Visits {
	/**
	 * References are being read. Call `came` with the first page, and with all references once they are known; call `over`
	 * at the end in any case.
	 */
	references(ref: RepositoryRef): {
		readonly came: (first: readonly Reference[], all: readonly Reference[] | undefined) => void;
		readonly over: () => void;
	};
	/**
	 * The default branch; `undefined` where there is no such repository for us. Requests its log and root folder ahead.
	 */
	head(ref: RepositoryRef, signal: AbortSignal): Promise<HeadOfRepository | undefined>;
	/** The first page of a log. */
	log(ref: RepositoryRef, from: string | undefined, signal: AbortSignal): Promise<LogPage>;
	/** True where `HEAD` was just seen to lead nowhere; `undefined` where nobody has looked just now. */
	isEmpty(ref: RepositoryRef): boolean | undefined;
	/** Another branch is the default one: answers under way go to those who asked, and to nobody after them. */
	moved(ref: RepositoryRef): void;
	/** A root folder that was requested ahead, once. */
	tree(ref: RepositoryRef, id: string): TreeBeginning | undefined;
}

type LogPage = RawPage<Commit> | undefined;

/** One look at a repository. */
interface Visit {
	/** Reads under way. The look ends some turns after the last of them. */
	underWay: number;
	/** From the references; `undefined` where they do not tell it. */
	toldHead: Promise<HeadOfRepository | undefined> | undefined;
	head: HeadOfRepository | undefined;
	log: Promise<LogPage> | undefined;
	names: readonly Reference[] | undefined;
}

/** Callers ask for the next part right after an answer. */
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

	/** Counts a read as under way. Its failure reaches whoever awaits the read. */
	function during<T>(ref: RepositoryRef, visit: Visit, read: Promise<T>): Promise<T> {
		visit.underWay += 1;
		const end = (): void => void over(ref, visit);
		read.then(end, end);
		return read;
	}

	async function askHead(ref: RepositoryRef, visit: Visit, signal: AbortSignal): Promise<HeadOfRepository | undefined> {
		const head = await during(ref, visit, ask(readHead, ref, {}, signal));
		visit.head = head;
		return head;
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
		return ask(listLog, ref, { from }, signal);
	}

	/** True for the log of the default branch, by any of its names. */
	function isOfHead({ head, names }: Visit, from: string | undefined): boolean {
		const branch = head?.branch;
		return from === undefined || from === headRevision || (branch !== undefined && isNamed(branch, from, names));
	}

	return {
		references(ref) {
			const visit = visitOf(ref);
			const { promise, resolve } = Promise.withResolvers<HeadOfRepository | undefined>();
			void during(ref, visit, promise);
			visit.toldHead = promise;
			const tell = (head: HeadOfRepository | undefined): void => {
				visit.head = head ?? visit.head;
				resolve(head);
			};
			return {
				came(first, all) {
					visit.names = all;
					const head = headAmong(first, all);
					if (head) {
						tell(head);
					}
				},
				over: () => resolve(undefined),
			};
		},
		async head(ref, signal) {
			const visit = visitOf(ref);
			if (!visit.head && !visit.log) {
				visit.log = during(ref, visit, askLog(ref, undefined, signal));
				visit.log.catch(() => undefined);
				bringRoot(ref, headRevision, signal);
			}
			return visit.head ?? (await visit.toldHead) ?? (await askHead(ref, visit, signal));
		},
		log(ref, from, signal) {
			const visit = now.get(refText(ref));
			const came = visit && isOfHead(visit, from) ? visit.log : undefined;
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
		isEmpty(ref) {
			const visit = now.get(refText(ref));
			return visit && isHeadless(visit);
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

function isHeadless({ head }: Visit): boolean | undefined {
	return head && head.branch === undefined;
}

/** `HEAD` as the references tell it; `undefined` where they do not say whether its branch exists. */
function headAmong(first: readonly Reference[], all: readonly Reference[] | undefined): HeadOfRepository | undefined {
	const branch = first.find(({ name }) => name === headRevision)?.target;
	if (branch?.startsWith('refs/') !== true) {
		return undefined;
	}
	const isThere = (all ?? first).some(({ name }) => name === branch);
	return isThere ? { branch } : all && { branch: undefined };
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
