import { firstCommits } from '../git/commitLog.ts';
import { modes } from '../git/gitObjects.ts';
import { follow, locate, peel, treeOf, type Located } from '../git/revisions.ts';
import type { Tokens } from '../identity/tokens.ts';
import { ownerOf, ownTarget, userRoutes } from '../identity/users.ts';
import { notFound, crash, invalid, json, list, noContent } from '../shared/answers.ts';
import { type ApiCall, type Context, type Answer, type Route, api, bothForms, param } from '../shared/area.ts';
import { validate, type Validation } from '../shared/body.ts';
import type { Dialect } from '../shared/dialect.ts';
import { findRepository, isListed } from './repositoryAccess.ts';
import { blobAnswer } from './repositoryBlobs.ts';
import { gitDoors } from './repositoryDoors.ts';
import { repositoryTarget } from './repositoryHooks.ts';
import { repositoryPages } from './repositoryPages.ts';
import { plumbingRoutes } from './repositoryPlumbing.ts';
import { openRepositoryRoom, type RepositoryRoom } from './repositoryRoom.ts';
import type { Repository, Visibility } from './repositoryStore.ts';

const listRefs: Handler = async ({ context, shapes }, _call, repository) => {
	const refs = await repository.source.refs();
	const results = refs.map((ref) => shapes.reference(repository, ref));
	return context.dialect.envelopes
		? json(200, { next: null, results, total: refs.length, results_per_page: refs.length })
		: json(200, results);
};

const pageSize = 50;

const getLog: Handler = async ({ context: { dialect }, shapes }, call, repository) => {
	const { source } = repository;
	if ((await source.refs()).length === 0) {
		return json(200, dialect.envelopes ? { next: null, results: [], total: 0, results_per_page: pageSize } : []);
	}
	const from = await peel(source, await locateRest(repository, call));
	if (from.type !== 'commit') {
		throw crash(dialect);
	}
	const startId = await readStart(dialect, repository, call);
	// The servers observed walk on from the start itself, and so lose the branches that lie beside it.
	const commits = dialect.logRepeatsLast
		? await firstCommits(source, startId ?? from.id, pageSize + 1)
		: await firstCommits(source, from.id, pageSize, startId);
	const results = await Promise.all(commits.map(async (commit) => await shapes.commit(source, commit)));
	const next = commits[pageSize]?.id ?? null;
	return json(200, dialect.envelopes ? { next, results, total: -1, results_per_page: pageSize } : results);
};

const getTree: Handler = async ({ shapes }, call, repository) => {
	const located = await locateRest(repository, call);
	const tree = await treeOf(repository.source, located);
	const entry = tree === undefined ? undefined : await follow(repository.source, tree, located.path);
	if (entry?.mode !== modes.tree) {
		throw notFound();
	}
	const body = await shapes.tree(repository, entry.id);
	return { status: 200, headers: { 'Content-Type': 'application/json' }, body };
};

const getBlob: Handler = async ({ context }, call, repository) => {
	const { dialect } = context;
	const { source } = repository;
	const located = await locateRest(repository, call);
	if (located.path.length === 0) {
		return await wholeBlob(dialect, repository, located);
	}
	if (located.type === 'tree') {
		throw crash(dialect);
	}
	const tree = await treeOf(source, located);
	const entry = tree === undefined ? undefined : await follow(source, tree, located.path);
	if (entry === undefined || entry.mode === modes.tree || entry.mode === modes.submodule) {
		throw notFound();
	}
	return blobAnswer(dialect, (await source.read(entry.id)).bytes, located.path.at(-1) ?? '');
};

const getBlobByPath: Handler = async (room, call, repository) => {
	if (restOf(call).length === 1) {
		throw notFound();
	}
	return await getBlob(room, call, repository);
};

/** The repository area, without repositories. */
export async function createRepositoryArea(context: Context, tokens: Tokens) {
	const room = await openRepositoryRoom(context, tokens);
	return {
		room,
		routes: [
			...userRoutes(context),
			...repositoryRoutes(room),
			...repositoryDataRoutes(room),
			...plumbingRoutes(room),
			...hookRoutes(room),
			...repositoryPages(room),
			...gitDoors(room),
		],
		dispose: room.dispose,
	};
}

function hookRoutes({ context, store }: RepositoryRoom): readonly Route[] {
	return [
		...context.webhooks.routes('gitUser', '/api/user', (call) => ownTarget(context, call)),
		...context.webhooks.routes('gitRepository', '/api/~:username/repos/:name', (call) =>
			repositoryTarget(findRepository(context, store, call)),
		),
	];
}

type Handler = (room: RepositoryRoom, call: ApiCall, repository: Repository) => Promise<Answer>;

/** References, logs, trees and blobs (docs/protocol.md#repositories). */
function repositoryDataRoutes(room: RepositoryRoom): readonly Route[] {
	const { context, store } = room;
	const run =
		(handle: Handler) =>
		async (call: ApiCall): Promise<Answer> =>
			await handle(room, call, findRepository(context, store, call));
	const forms = (rest: string, handle: Handler): readonly Route[] =>
		bothForms('GET', `/repos/:name/${rest}`, 'data:read', run(handle), '/~:username');
	return [
		...forms('refs', listRefs),
		...forms('log', getLog),
		...forms('log/:rest*', getLog),
		...forms('tree', getTree),
		...forms('tree/:rest*', getTree),
		...blobRoutes(context.dialect.explicitBlobMissing, run),
	];
}

type Run = (handle: Handler) => (call: ApiCall) => Promise<Answer>;

/** Servers have the explicit form of `blob/:id` at another path by mistake (docs/protocol.md#files-by-id). */
function blobRoutes(explicitMissing: boolean, run: Run): readonly Route[] {
	const explicit = explicitMissing ? getBlobByPath : getBlob;
	return [
		api('GET', '/api/repos/:name/blob/:rest*', 'data:read', run(getBlob)),
		api('GET', '/api/~:username/repos/:name/blob/:rest*', 'data:read', run(explicit)),
		...(explicitMissing ? [api('GET', '/api/~:username/blob/:name/blob/:rest*', 'data:read', run(getBlob))] : []),
	];
}

/** The commit that a page begins with; undefined for the first page. */
async function readStart(dialect: Dialect, { source }: Repository, call: ApiCall): Promise<string | undefined> {
	const start = call.query.get('start') ?? '';
	if (start === '') {
		return undefined;
	}
	const found = await source.resolve(start);
	const target = found.kind === 'object' ? await peel(source, found) : undefined;
	if (target?.type !== 'commit') {
		throw crash(dialect, invalid('start should be the id of a commit', 'start'));
	}
	return target.id;
}

async function wholeBlob(dialect: Dialect, { source }: Repository, { id, type }: Located): Promise<Answer> {
	if (type === 'tree') {
		throw crash(dialect);
	}
	if (type !== 'blob') {
		throw notFound();
	}
	return blobAnswer(dialect, (await source.read(id)).bytes, id);
}

/** Revision and path from the rest of the path; the default branch if empty. */
async function locateRest({ source }: Repository, call: ApiCall): Promise<Located> {
	const parts = restOf(call);
	const located = await locate(source, parts.length === 0 ? ['HEAD'] : parts);
	if (located === undefined) {
		throw notFound();
	}
	return located;
}

function restOf(call: ApiCall): readonly string[] {
	return call.params['rest'] === undefined ? [] : param(call, 'rest').split('/');
}

/** Repositories themselves (docs/protocol.md#repository-fields). PUT and DELETE exist in the implied form only. */
function repositoryRoutes(room: RepositoryRoom): readonly Route[] {
	const one = '/api/repos/:name';
	return [
		...bothForms('GET', '/repos', 'info:read', (call) => listRepositories(room, call), '/~:username'),
		api('POST', '/api/repos', 'info:write', async (call) => await addRepository(room, call)),
		...bothForms(
			'GET',
			'/repos/:name',
			'info:read',
			(call) => json(200, room.shapes.repository(findRepository(room.context, room.store, call))),
			'/~:username',
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
