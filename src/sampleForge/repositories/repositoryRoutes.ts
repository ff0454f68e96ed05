import type { Answer, ApiCall, Route } from '../shared/area.ts';
import { api, bothForms } from '../shared/area.ts';
import { json, list, noContent } from '../shared/answers.ts';
import { validate, type Validation } from '../shared/body.ts';
import type { RepositoryRoom } from './repositoryRoom.ts';
import { findRepository, isListed } from './repositoryAccess.ts';
import { repositoryTarget } from './repositoryHooks.ts';
import type { Visibility } from './repositoryStore.ts';
import { ownerOf } from '../identity/users.ts';

/** Repositories themselves (docs/protocol.md#repository-fields). PUT and DELETE exist in the implied form only. */
export function repositoryRoutes(room: RepositoryRoom): readonly Route[] {
	const one = '/api/repos/:name';
	return [
		...bothForms('GET', ['/api/~:username/repos', '/api/repos'], 'info:read', (call) => listRepositories(room, call)),
		api('POST', '/api/repos', 'info:write', async (call) => await addRepository(room, call)),
		...bothForms('GET', ['/api/~:username/repos/:name', one], 'info:read', (call) =>
			json(200, room.shapes.repository(findRepository(room.context, room.store, call))),
		),
		api('PUT', one, 'info:write', (call) => updateRepository(room, call)),
		api('DELETE', one, 'info:write', async (call) => await removeRepository(room, call)),
	];
}

function listRepositories({ context, store, shapes }: RepositoryRoom, call: ApiCall): Answer {
	const owner = ownerOf(context, call);
	const rows = store.all.filter((each) => each.owner === owner && isListed(each, call.user)).toReversed();
	return list(context.dialect, call, { rows, id: (row) => row.id, show: shapes.repository });
}

async function addRepository(room: RepositoryRoom, call: ApiCall): Promise<Answer> {
	const { context, store } = room;
	const sent = validate(context.dialect, call.body);
	const name = sent.text('name', { label: 'Name', required: true }) ?? '';
	const description = readDescription(sent);
	const visibility = readVisibility(sent) ?? 'public';
	if (name !== '') {
		expectName(sent, name, store.taken(call.user, name));
	}
	sent.done();
	const createdMs = context.nowMs();
	const repository = await room.create({ owner: call.user, name, description, visibility, createdMs });
	room.hooks.changed('repo:create', repository);
	return json(201, room.shapes.repository(repository));
}

function updateRepository({ context, store, shapes, hooks }: RepositoryRoom, call: ApiCall): Answer {
	const repository = findRepository(context, store, call);
	const sent = validate(context.dialect, call.body);
	const name = sent.has('name') ? sent.text('name', { label: 'Name', required: true }) : undefined;
	const description = sent.has('description') ? readDescription(sent) : repository.description;
	const visibility = readVisibility(sent) ?? repository.visibility;
	if (name !== undefined && name !== '') {
		expectName(sent, name, store.taken(call.user, name, repository));
	}
	sent.done();
	repository.name = name ?? repository.name;
	repository.description = description;
	repository.visibility = visibility;
	repository.updatedMs = context.nowMs();
	hooks.changed('repo:update', repository);
	return json(200, shapes.repository(repository));
}

async function removeRepository({ context, store, hooks }: RepositoryRoom, call: ApiCall): Promise<Answer> {
	const repository = findRepository(context, store, call);
	store.remove(repository);
	hooks.changed('repo:delete', repository);
	context.webhooks.drop('gitRepository', repositoryTarget(repository));
	await repository.source.dispose();
	return noContent();
}

/** Null for a missing or empty description. */
function readDescription(sent: Validation): string | null {
	const text = sent.text('description');
	sent.expect((text?.length ?? 0) <= 1024, 'Must be less than 1025 characters', 'description');
	return text === undefined || text === '' ? null : text;
}

function readVisibility(sent: Validation): Visibility | undefined {
	const word = sent.text('visibility');
	if (word === undefined || word === 'public' || word === 'unlisted' || word === 'private') {
		return word;
	}
	sent.expect(false, 'visibility should be one of public, unlisted, private', 'visibility');
	return undefined;
}

function expectName(sent: Validation, name: string, taken: boolean): void {
	sent.expect(/^[A-Za-z._-][A-Za-z0-9._-]*$/.test(name), 'Only alphanumeric characters or ._-', 'name');
	sent.expect(name.length <= 256, 'Must be between 1 and 256 characters', 'name');
	sent.expect(!taken, 'This name is already in use.', 'name');
}
