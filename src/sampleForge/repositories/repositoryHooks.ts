import { randomUUID } from 'node:crypto';
import { type Context, type User, userTarget } from '../shared/area.ts';
import { readTag } from '../git/gitObjects.ts';
import type { ObjectSource, Ref } from '../git/objectSource.ts';
import { peel } from '../git/revisions.ts';
import type { RepositoryShapes } from './repositoryShapes.ts';
import type { Repository } from './repositoryStore.ts';
import { showShortUser, showUser } from '../identity/users.ts';

/** Listener for repository events. */
export interface RepositoryListener {
	changed(event: 'repo:create' | 'repo:update' | 'repo:delete', repository: Repository): void;
	pushed(repository: Repository, pusher: User, moves: readonly RefMove[]): void;
}

/** Notifies webhooks (docs/protocol.md#push-events) and listeners of repository events. */
export interface RepositoryHooks extends Pick<RepositoryListener, 'changed'> {
	listen(listener: RepositoryListener): void;
	/** Resolves to the answers of `sync` receivers. The commits must still exist. */
	pushed(repository: Repository, pusher: User, moves: readonly RefMove[]): Promise<readonly string[]>;
}

/** A reference before and after a push; null if it did not exist. */
export interface RefMove {
	readonly name: string;
	readonly old: string | null;
	readonly new: string | null;
}

export const repositoryTarget = ({ id }: Repository): string => `repository:${id}`;

export function createRepositoryHooks({ dialect, webhooks }: Context, shapes: RepositoryShapes): RepositoryHooks {
	const showMove = async (source: ObjectSource, move: RefMove): Promise<object> => {
		const [tag, before, after] = await Promise.all([
			annotatedTag(source, move.new),
			showCommit(source, move.old),
			showCommit(source, move.new),
		]);
		return { ...(tag === undefined ? {} : { annotated_tag: tag }), name: move.name, old: before, new: after };
	};
	const showCommit = async (source: ObjectSource, id: string | null): Promise<object | null> => {
		const found = id === null ? undefined : await source.resolve(id);
		if (found?.kind !== 'object') {
			return null;
		}
		const target = await peel(source, found);
		return target.type === 'commit' ? await shapes.commit(source, await source.commit(target.id)) : null;
	};
	const listeners: RepositoryListener[] = [];
	return {
		listen: (listener) => void listeners.push(listener),
		changed(event, repository) {
			const payload = event === 'repo:delete' ? { id: repository.id } : shapes.repository(repository);
			webhooks.emit({ family: 'gitUser', target: userTarget(repository.owner), event, payload });
			listeners.forEach((listener) => listener.changed(event, repository));
		},
		async pushed(repository, pusher, moves) {
			listeners.forEach((listener) => listener.pushed(repository, pusher, moves));
			const refs = await Promise.all(moves.map(async (move) => await showMove(repository.source, move)));
			const payload = {
				push: randomUUID(),
				pusher: dialect.observedEvents ? showShortUser(pusher) : showUser(pusher),
				refs,
			};
			const target = repositoryTarget(repository);
			return await webhooks.emitSync({ family: 'gitRepository', target, event: 'repo:post-update', payload });
		},
	};
}

async function annotatedTag(source: ObjectSource, id: string | null): Promise<object | undefined> {
	const found = id === null ? undefined : await source.resolve(id);
	if (found?.kind !== 'object' || found.type !== 'tag') {
		return undefined;
	}
	const { name, message } = readTag((await source.read(found.id)).bytes);
	return { name, message };
}

/** Differences between two lists of references. */
export function movesBetween(before: readonly Ref[], after: readonly Ref[]): readonly RefMove[] {
	const old = new Map(before.map(({ name, target }) => [name, target]));
	const now = new Map(after.map(({ name, target }) => [name, target]));
	return [...new Set([...old.keys(), ...now.keys()])]
		.toSorted()
		.map((name) => ({ name, old: old.get(name) ?? null, new: now.get(name) ?? null }))
		.filter((move) => move.old !== move.new);
}
