import type { Answer, User } from '../../shared/area.ts';
import { mayRead } from '../../repositories/repositoryAccess.ts';
import type { RepositoryRoom } from '../../repositories/repositoryRoom.ts';
import { goJson } from '../goJson.ts';
import { checksumOf } from './objectShapes.ts';

/** Bytes of files and artifacts (docs/protocol.md#graphql-files). */
export async function gitFile(room: RepositoryRoom, path: string, user: User): Promise<Answer | undefined> {
	const [, repositoryId, blobId] = /^\/query\/blob\/(\d+)\/([^/]+)$/.exec(path) ?? [];
	if (blobId !== undefined) {
		return await blobAnswer(room, { repositoryId: Number(repositoryId), blobId }, user);
	}
	const [, checksum, filename = ''] = /^\/query\/artifact\/(sha256:[0-9a-f]+)\/([^/]+)$/.exec(path) ?? [];
	for (const repository of room.store.all.filter((each) => mayRead(each, user))) {
		const found = repository.artifacts.find(
			(each) => each.filename === decodeURIComponent(filename) && checksumOf(each) === checksum,
		);
		if (found !== undefined) {
			return bytesAnswer(Buffer.from(found.content));
		}
	}
	return undefined;
}

async function blobAnswer(
	{ store }: RepositoryRoom,
	{ repositoryId, blobId }: { readonly repositoryId: number; readonly blobId: string },
	user: User,
): Promise<Answer | undefined> {
	const repository = store.all.find(({ id }) => id === repositoryId);
	if (repository === undefined || !mayRead(repository, user)) {
		return undefined;
	}
	const found = /^[0-9a-f]{40}$/.test(blobId) ? await repository.source.resolve(blobId) : undefined;
	if (found?.kind !== 'object' || found.type !== 'blob') {
		const body = goJson({ errors: [{ message: 'object not found' }] });
		return { status: 400, headers: { 'Content-Type': 'application/json' }, body };
	}
	return bytesAnswer((await repository.source.read(found.id)).bytes);
}

function bytesAnswer(body: Buffer): Answer {
	return { status: 200, headers: { 'Content-Type': 'application/octet-stream' }, body };
}
