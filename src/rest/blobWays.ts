import { nextTurn } from '../base/timeSlice.ts';
import type { RepositoryApi } from '../forge/forge.ts';
import { ForgeError, isForgeError, type Problem } from '../forge/forgeError.ts';
import type { LearntFacts } from '../forge/learntFacts.ts';
import type { Blob, RepositoryRef, TreePath, WantedBlob } from '../forge/repository.ts';
import type { OwnerName } from '../forge/user.ts';
import { provenInSlices } from '../git/objectId.ts';

/**
 * Routes to a file: by id as in the contract, by id as servers spell it (docs/protocol.md#files-by-id), or by commit
 * and path.
 */
const ways = ['id', 'otherId', 'path'] as const;
type Way = (typeof ways)[number];

/** Requests for files. */
export interface BlobRoutes {
	byId(ref: RepositoryRef, id: string, signal: AbortSignal): Promise<Blob>;
	byOtherId(ref: RepositoryRef, id: string, signal: AbortSignal): Promise<Blob>;
	at(ref: RepositoryRef, at: TreePath, signal: AbortSignal): Promise<Blob>;
}

export interface BlobWaysParts {
	readonly routes: BlobRoutes;
	/** `~name` of the account. Every server serves files of own repositories by id. */
	readonly me: OwnerName;
	/** Learnt routes for other users' repositories. */
	readonly learnt: LearntFacts;
}

/**
 * Reads files through the route that the server supports. The first read of a foreign repository tries all routes, and
 * concurrent reads await its result. The result is remembered for the server.
 */
export function blobWays(
	parts: BlobWaysParts,
): Required<Pick<RepositoryApi, 'blobById' | 'blobByShortId' | 'wantsPlaces'>> {
	const reads = new BlobWays(parts);
	return {
		blobById: (wanted, signal) => reads.read(wanted, signal),
		blobByShortId: (ref, id, signal) => reads.readShort(ref, id, signal),
		wantsPlaces: (ref) => reads.needsPlaces(ref),
	};
}

class BlobWays {
	readonly #parts: BlobWaysParts;
	#known: Way | undefined;
	#trial: Promise<void> | undefined;

	constructor(parts: BlobWaysParts) {
		this.#parts = parts;
		this.#known = ways.find((way) => parts.learnt.has(factOf(way)));
	}

	needsPlaces(ref: RepositoryRef): boolean {
		return !this.#isMine(ref) && (this.#known === undefined || this.#known === 'path');
	}

	async read(wanted: WantedBlob, signal: AbortSignal): Promise<Blob> {
		if (this.#isMine(wanted.ref)) {
			return (await this.#try('id', wanted, signal)) ?? (await this.#tryAll(['path'], wanted, signal)).blob;
		}
		while (this.#known === undefined && this.#trial) {
			await this.#trial;
			signal.throwIfAborted();
		}
		return this.#known === undefined ? this.#learn(wanted, signal) : this.#readBy(this.#known, wanted, signal);
	}

	/** The route for full ids accepts abbreviated ones too (docs/protocol.md#files-by-id). */
	readShort(ref: RepositoryRef, id: string, signal: AbortSignal): Promise<Blob> {
		const { routes } = this.#parts;
		return this.#isMine(ref) || this.#known === 'id' ? routes.byId(ref, id, signal) : routes.byOtherId(ref, id, signal);
	}

	#isMine({ owner }: RepositoryRef): boolean {
		return owner === this.#parts.me;
	}

	async #readBy(known: Way, wanted: WantedBlob, signal: AbortSignal): Promise<Blob> {
		const others = ways.filter((way) => way !== known);
		return (await this.#try(known, wanted, signal)) ?? (await this.#tryAll(others, wanted, signal)).blob;
	}

	async #learn(wanted: WantedBlob, signal: AbortSignal): Promise<Blob> {
		const trial = Promise.withResolvers<void>();
		this.#trial = trial.promise;
		try {
			const { way, blob } = await this.#tryAll(ways, wanted, signal);
			this.#known = way;
			this.#parts.learnt.learn(factOf(way), true);
			return blob;
		} finally {
			this.#trial = undefined;
			trial.resolve();
		}
	}

	async #tryAll(
		inTurn: readonly Way[],
		wanted: WantedBlob,
		signal: AbortSignal,
	): Promise<{ readonly way: Way; readonly blob: Blob }> {
		let failure = new ForgeError({ kind: 'notFound' });
		for (const way of inTurn) {
			try {
				const blob = await this.#try(way, wanted, signal);
				if (blob) {
					return { way, blob };
				}
			} catch (error) {
				if (!isForgeError(error) || !saysNoSuchRoute.has(error.problem.kind)) {
					throw error;
				}
				failure = error;
			}
		}
		throw failure;
	}

	/** `undefined` if the file or the route is missing. */
	async #try(way: Way, { ref, id, at }: WantedBlob, signal: AbortSignal): Promise<Blob | undefined> {
		const { routes } = this.#parts;
		try {
			switch (way) {
				case 'id':
					return await proven(id, await routes.byId(ref, id, signal), signal);
				case 'otherId':
					return await proven(id, await routes.byOtherId(ref, id, signal), signal);
				case 'path':
					return at && (await proven(id, await routes.at(ref, at, signal), signal));
			}
		} catch (error) {
			if (isForgeError(error) && error.problem.kind === 'notFound') {
				return undefined;
			}
			throw error;
		}
	}
}

/**
 * Servers prefer reference names to ids, so content may differ from the id. Such content is rejected and teaches
 * nothing.
 */
async function proven(id: string, blob: Blob, signal: AbortSignal): Promise<Blob> {
	if ((await provenInSlices({ id, kind: 'blob', bytes: blob.bytes }, nextTurn, signal)) === 'other') {
		throw new ForgeError({ kind: 'notUnderstood', where: 'content', why: 'it is another file than the one asked for' });
	}
	return blob;
}

/** Errors that servers send for a missing route. Another route may still work. */
const saysNoSuchRoute: ReadonlySet<Problem['kind']> = new Set([
	'invalid',
	'serverError',
	'notUnderstood',
	'notOffered',
]);

function factOf(way: Way): string {
	return `blobsBy:${way}`;
}
