import { ForgeError } from '../../port/forgeError.ts';
import { throwUnsent } from '../../port/mayHaveArrived.ts';
import { refText } from '../../port/namedRef.ts';
import type { RepositoryRef } from '../../port/repository.ts';
import type { GraphqlCaller } from '../door/graphqlCaller.ts';
import type { Operation } from '../door/operations.ts';
import { newNameIn } from '../door/problems.ts';
import type { Variables } from '../door/smallerQuestions.ts';
import { byName } from '../door/variables.ts';
import type { KeptRenames } from './keptRenames.ts';
import { readRepository } from './repositoryDocuments.ts';

/** Resolves repository names across renames. */
export interface NamedRepositories {
	/** Sends an operation for a repository, by its new name after a rename. */
	ask<T>(operation: Operation<T>, ref: RepositoryRef, more: Variables, signal: AbortSignal): Promise<T>;
	/** The current name, from the renames known so far. Sends no request. */
	now(ref: RepositoryRef): RepositoryRef;
	/** See `repositoryId`. */
	id(ref: RepositoryRef, signal: AbortSignal): Promise<number>;
	/** Forgets a rename, because a repository has the old name again. */
	given(ref: RepositoryRef): void;
}

/** Limit for chains of renames. */
const mostSteps = 5;

export function namedRepositories({ ask }: Pick<GraphqlCaller, 'ask'>, renames: KeptRenames): NamedRepositories {
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

	return {
		async ask(operation, ref, more, signal) {
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
		},
		now,
		id: (ref, signal) => repositoryId({ ask }, ref, signal),
		given: (ref) => renames.forget(ref),
	};
}

/**
 * A repository's id for writes, read each time and never through a rename: a write must not change or delete another
 * repository. Throws `notFound` before any write.
 */
export async function repositoryId(
	{ ask }: Pick<GraphqlCaller, 'ask'>,
	ref: RepositoryRef,
	signal: AbortSignal,
): Promise<number> {
	const found = await ask(readRepository, byName(ref), signal).catch(throwUnsent);
	if (found === undefined) {
		throw new ForgeError({ kind: 'notFound' }, { isUnsent: true });
	}
	return found.id;
}
