import { ForgeError, isForgeError } from '../../forge/forgeError.ts';
import { refText } from '../../forge/namedRef.ts';
import type { RepositoryRef } from '../../forge/repository.ts';
import type { GraphqlCaller, Operation, Variables } from '../door/graphqlCaller.ts';
import { newNameIn } from '../door/problems.ts';
import { byName } from '../door/variables.ts';
import { readRepository } from './repositoryDocuments.ts';

/** Repositories by their names: what they are called by now, and the numbers by which writes name them. */
export interface NamedRepositories {
	/** Asks about a repository, by its new name where it was renamed. */
	ask<T>(operation: Operation<T>, ref: RepositoryRef, more: Variables, signal: AbortSignal): Promise<T>;
	/** The name that it has now, as far as answers have told. */
	now(ref: RepositoryRef): RepositoryRef;
	told(ref: RepositoryRef, id: number): void;
	/** Throws `notFound`, with nothing written. */
	id(ref: RepositoryRef, signal: AbortSignal): Promise<number>;
	/** Of what a write did not find, or has taken away or made. */
	forget(ref: RepositoryRef): void;
}

/** Renamed again and again, a name is not worth following. */
const mostSteps = 5;

export function namedRepositories({ ask }: GraphqlCaller): NamedRepositories {
	const numbers = new Map<string, number>();
	const renamed = new Map<string, RepositoryRef>();

	function now(ref: RepositoryRef): RepositoryRef {
		let at = ref;
		for (let step = 0; step < mostSteps; step += 1) {
			const next = renamed.get(refText(at));
			if (next === undefined) {
				break;
			}
			at = next;
		}
		return at;
	}

	const named: NamedRepositories = {
		async ask(operation, ref, more, signal) {
			for (let step = 0; ; step += 1) {
				const at = now(ref);
				try {
					return await ask(operation, { ...byName(at), ...more }, signal);
				} catch (error) {
					const to = newNameIn(error);
					if (to === undefined || step === mostSteps) {
						throw error;
					}
					renamed.set(refText(at), to);
				}
			}
		},
		now,
		told: (ref, id) => void numbers.set(refText(now(ref)), id),
		async id(ref, signal) {
			const known = numbers.get(refText(now(ref)));
			if (known !== undefined) {
				return known;
			}
			const found = await named.ask(readRepository, ref, {}, signal).catch((error: unknown) => {
				throw isForgeError(error) ? new ForgeError(error.problem, { cause: error, isUnsent: true }) : error;
			});
			if (found === undefined) {
				throw new ForgeError({ kind: 'notFound' }, { isUnsent: true });
			}
			named.told(ref, found.id);
			return found.id;
		},
		forget(ref) {
			numbers.delete(refText(now(ref)));
			renamed.delete(refText(ref));
		},
	};
	return named;
}
