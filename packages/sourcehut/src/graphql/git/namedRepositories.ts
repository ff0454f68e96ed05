import { ForgeError, unfit } from '../../port/forgeError.ts';
import { throwUnsent } from '../../port/mayHaveArrived.ts';
import { refText, isNameable } from '../../port/namedRef.ts';
import type { RepositoryRef } from '../../port/repository.ts';
import type { GraphqlCaller } from '../transport/graphqlCaller.ts';
import type { Operation } from '../transport/operations.ts';
import { newNameIn } from '../transport/problems.ts';
import type { Variables } from '../transport/smallerQuestions.ts';
import { byName } from '../transport/variables.ts';
import { readRepository } from './gitDocuments.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { LearntFacts } from '../../port/learntFacts.ts';
import { isKeptForADay } from '../transport/missingFields.ts';

/** The default branch as a revision. */
export const headRevision = 'HEAD';

/** Limit for chains of renames. */
const mostSteps = 5;

/** Resolves repository names across renames. */
export type NamedRepositories = ReturnType<typeof namedRepositories>;

export function namedRepositories({ ask }: GraphqlCaller, renames: KeptRenames) {
	/** The current name, from the renames known so far. Sends no request. */
	function now(ref: RepositoryRef): RepositoryRef {
		let at = ref;
		for (let step = 0; step < mostSteps; step += 1) {
			const next = renames.of(at);
			if (next === undefined) {
				break;
			}
			at = next;
		}
		return at;
	}

	/** Checks of former names, pending or complete, per session. */
	const looks = new Map<string, Promise<void>>();

	/**
	 * Another repository may have the former name by now. One request checks the name, batched with the operation. A
	 * failed check keeps the rename.
	 */
	function lookAtFormer(ref: RepositoryRef, signal: AbortSignal): Promise<void> | undefined {
		const key = refText(ref);
		if (now(ref) !== ref && !looks.has(key)) {
			const looking = ask(readRepository, byName(ref), signal).then(
				(found) => found && renames.forget(ref),
				(error: unknown) => {
					const to = newNameIn(error);
					if (to !== undefined) {
						renames.learn(ref, to);
					} else {
						looks.delete(key);
					}
				},
			);
			looks.set(key, looking);
		}
		return now(ref) === ref ? undefined : looks.get(key);
	}

	function learn(from: RepositoryRef, to: RepositoryRef): void {
		renames.learn(from, to);
		looks.set(refText(from), Promise.resolve());
	}

	/** Sends an operation for a repository, by its new name after a rename. */
	async function askNamed<T>(
		operation: Operation<T>,
		ref: RepositoryRef,
		more: Variables,
		signal: AbortSignal,
	): Promise<T> {
		let mayBeGone = now(ref) !== ref;
		for (let step = 0; ; step += 1) {
			const at = now(ref);
			try {
				const asking = ask(operation, { ...byName(at), ...more }, signal);
				const looking = lookAtFormer(ref, signal);
				if (looking) {
					await Promise.allSettled([asking, looking]);
					if (refText(now(ref)) !== refText(at)) {
						continue;
					}
				}
				const found = await asking;
				if (found !== undefined || !mayBeGone || at === ref) {
					return found;
				}
				// Not found under the new name: another repository may have the former name.
				mayBeGone = false;
				renames.forget(ref);
			} catch (error) {
				const to = newNameIn(error);
				if (to === undefined || step === mostSteps) {
					throw error;
				}
				if (refText(to) === refText(ref)) {
					// Renamed back: the stored rename would be a cycle.
					renames.forget(ref);
				} else {
					learn(at, to);
				}
			}
		}
	}

	return {
		ask: askNamed,
		now,
		id: (ref: RepositoryRef, signal: AbortSignal) => repositoryId(ask, ref, signal),
		/** Forgets a rename, because a repository has the old name again. */
		given: (ref: RepositoryRef) => renames.forget(ref),
	};
}

/**
 * A repository's id for writes, read each time and never through a rename: a write must not change or delete another
 * repository. Throws `notFound` before any write.
 */
export async function repositoryId(
	ask: GraphqlCaller['ask'],
	ref: RepositoryRef,
	signal: AbortSignal,
): Promise<number> {
	const found = await ask(readRepository, byName(ref), signal).catch(throwUnsent);
	if (found === undefined) {
		throw new ForgeError({ kind: 'notFound' }, { isUnsent: true });
	}
	return found.id;
}

/** More renames than this push out the oldest. */
const mostNames = 200;
const written = /^renamed:([^/>\s]+)\/([^/>\s]+)>([^/>\s]+)\/([^/>\s]+)@(\d+)$/;

interface Rename {
	readonly from: string;
	readonly to: RepositoryRef;
	readonly learntMs: number;
	readonly fact: string;
}

/** Renamed repositories, old name to new, stored with the facts about the server. */
export type KeptRenames = ReturnType<typeof keptRenames>;

export function keptRenames(learnt: LearntFacts, clock: Clock) {
	const renames = new Map(learnt.all().flatMap((fact) => renameIn(fact).map((each) => [each.from, each] as const)));

	function forget(from: string): void {
		const rename = renames.get(from);
		if (rename) {
			renames.delete(from);
			learnt.learn(rename.fact, false);
		}
	}

	/** Expires renames of all repositories, because most old names are never looked up again. */
	function forgetOld(): void {
		const nowMs = clock.nowMs();
		for (const { from, learntMs } of renames.values()) {
			if (!isKeptForADay(learntMs, nowMs)) {
				forget(from);
			}
		}
	}

	return {
		/** `undefined` a day after the last report, because the old name may belong to another repository by then. */
		of(from: RepositoryRef) {
			forgetOld();
			return renames.get(refText(from))?.to;
		},
		learn(from: RepositoryRef, to: RepositoryRef) {
			const name = refText(from);
			forgetOld();
			forget(name);
			[...renames.keys()].slice(0, 1 - mostNames).forEach(forget);
			const [rename] = renameIn(`renamed:${name}>${refText(to)}@${clock.nowMs()}`);
			if (rename) {
				renames.set(name, rename);
				learnt.learn(rename.fact, true);
			}
		},
		forget: (from: RepositoryRef) => forget(refText(from)),
	};
}

/** The store is untrusted: other programs can edit it. */
function renameIn(fact: string): readonly Rename[] {
	const [, fromOwner = '', fromName = '', owner = '', name = '', learntMs = ''] = written.exec(fact) ?? [];
	const from = { owner: fromOwner, name: fromName };
	const to = { owner, name };
	return isNameable(from) && isNameable(to) ? [{ from: refText(from), to, learntMs: Number(learntMs), fact }] : [];
}

/** Checks a path in a tree: names separated by single slashes. Throws for empty names and dots. */
export function checkedSteps(path: string): string {
	for (const step of path.split('/')) {
		if (step === '') {
			throw unfit('path', 'nameEmpty');
		}
		if (step === '.' || step === '..') {
			throw unfit('path', 'nameIsDots');
		}
		if (!step.isWellFormed()) {
			throw unfit('path', 'halfCharacter');
		}
	}
	return path;
}
