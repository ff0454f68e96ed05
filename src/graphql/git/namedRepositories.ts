import { ForgeError } from '../../forge/forgeError.ts';
import { throwUnsent } from '../../forge/mayHaveArrived.ts';
import { refText } from '../../forge/namedRef.ts';
import type { RepositoryRef } from '../../forge/repository.ts';
import type { GraphqlCaller, Operation } from '../door/graphqlCaller.ts';
import { newNameIn } from '../door/problems.ts';
import type { Variables } from '../door/smallerQuestions.ts';
import { byName } from '../door/variables.ts';
import type { KeptRenames } from './keptRenames.ts';
import { readRepository } from './repositoryDocuments.ts';

/** Repositories by their names, and what they are called by now. */
export interface NamedRepositories {
	/** Asks about a repository, by its new name where it was renamed. */
	ask<T>(operation: Operation<T>, ref: RepositoryRef, more: Variables, signal: AbortSignal): Promise<T>;
	/** The name that it has now, as far as answers have told. */
	now(ref: RepositoryRef): RepositoryRef;
	/** As `repositoryId`. */
	id(ref: RepositoryRef, signal: AbortSignal): Promise<number>;
	/** The name belongs to somebody again. */
	given(ref: RepositoryRef): void;
}

/** Renamed again and again, a name is not worth following. */
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

	/** Former names about which an answer of this window has told, or will. */
	const looks = new Map<string, Promise<void>>();

	/**
	 * Where a name that was kept leads elsewhere, the former one may have been given to another repository since: it is asked
	 * for once, in one request with what is wanted. What does not answer leaves the kept name as it is.
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
					// Not there by the name that was kept: the former one may have been given to another repository.
					mayBeGone = false;
					renames.forget(ref);
				} catch (error) {
					const to = newNameIn(error);
					if (to === undefined || step === mostSteps) {
						throw error;
					}
					if (refText(to) === refText(ref)) {
						// It has its former name again: what was kept would lead in a circle.
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
 * The number by which writes name a repository, asked for each time and never by way of a former name: what has the name now
 * is meant, and nothing else may be changed or deleted. Throws `notFound`, with nothing written.
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
