import { firstCommits, follow, locate, peel, treeOf, type Located } from '../git/objectSource.ts';
import { modes } from '../git/gitObjects.ts';
import type { Tokens } from '../identity/tokens.ts';
import { ownerOf, ownTarget, userRoutes } from '../identity/users.ts';
import {
	json,
	noContent,
	notAllowed,
	plainText,
	wordsAsPage,
	notFound,
	crash,
	invalid,
	list,
} from '../shared/answers.ts';
import {
	type Answer,
	type ApiCall,
	type Method,
	type Route,
	bothForms,
	param,
	type Context,
	api,
	type Dialect,
} from '../shared/area.ts';
import { validate, type Validation } from '../shared/body.ts';
import { gitDoors } from './repositoryDoors.ts';
import { repositoryPages } from './repositoryPages.ts';
import {
	type RepositoryRoom,
	findRepository,
	isListed,
	blobAnswer,
	repositoryTarget,
	openRepositoryRoom,
} from './repositoryRoom.ts';
import type { Repository, Visibility } from './repositoryStore.ts';
import { check, need } from '../shared/checks.ts';

type PlumbingHandler = (repository: Repository, call: ApiCall) => Answer | Promise<Answer>;

/**
 * Routes that the contract does not list (docs/protocol.md#bare-lines): objects, revisions and references as text, and
 * the own readme.
 */
function plumbingRoutes({ context, store }: RepositoryRoom): readonly Route[] {
	const forms = (method: Method, rest: string, handle: PlumbingHandler): readonly Route[] => {
		const scope = method === 'GET' ? 'data:read' : 'info:write';
		const run = (call: ApiCall): Answer | Promise<Answer> => handle(findRepository(context, store, call), call);
		return bothForms(method, `/repos/:name/${rest}`, scope, run, '/~:username');
	};
	const setReadme =
		(read: (call: ApiCall) => string | null): PlumbingHandler =>
		(repository, call) => {
			check(repository.owner === call.user, () => notAllowed(context.dialect));
			repository.readme = read(call);
			return noContent();
		};
	return [
		...forms('GET', 'odb/:id', getObject),
		...forms('GET', 'lookup/:rest*', lookUp(context.dialect)),
		...forms('GET', 'refdb/:rest*', getRef(context.dialect)),
		...forms('GET', 'readme', ({ readme }) =>
			readme === null
				? json(404, {})
				: { status: 200, headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: readme },
		),
		...forms(
			'PUT',
			'readme',
			setReadme(({ body }) => new TextDecoder().decode(body.bytes)),
		),
		...forms(
			'DELETE',
			'readme',
			setReadme(() => null),
		),
	];
}

const nothingThere = plainText(404, 'not found');

const getObject: PlumbingHandler = async ({ source }, call) => {
	const id = param(call, 'id');
	const found = /^[0-9a-f]{4,40}$/.test(id) ? await source.resolve(id) : undefined;
	if (found?.kind !== 'object' || !found.id.startsWith(id)) {
		return nothingThere;
	}
	const { bytes } = await source.read(found.id);
	const headers = { 'Content-Type': 'application/octet-stream', 'X-Git-Object-Type': found.type };
	return { status: 200, headers, body: bytes };
};

/** A bare line, with the type that the servers observed give it. */
function bareLine({ plumbingIsHtml }: Dialect, status: number, text: string): Answer {
	return plumbingIsHtml ? wordsAsPage(status, text) : plainText(status, text);
}

const lookUp =
	(dialect: Dialect): PlumbingHandler =>
	async ({ source }, call) => {
		const revision = param(call, 'rest');
		// The observed route accepts a single segment, with slashes encoded or not.
		if (dialect.lookupOfOneSegment && revision.includes('/')) {
			return bareLine(dialect, 404, 'not found');
		}
		const found = await source.resolve(revision);
		if (found.kind === 'object') {
			return bareLine(dialect, 200, found.id);
		}
		return found.kind === 'ambiguous' ? bareLine(dialect, 409, 'ambiguous') : bareLine(dialect, 404, 'not found');
	};

const getRef =
	(dialect: Dialect): PlumbingHandler =>
	async ({ source }, call) => {
		const name = param(call, 'rest');
		if (name === 'HEAD') {
			return bareLine(dialect, 200, await source.head());
		}
		if (dialect.plumbingIsHtml && !name.startsWith('refs/')) {
			return bareLine(dialect, 400, 'invalid reference');
		}
		const ref = (await source.refs()).find((each) => each.name === name);
		return ref === undefined ? bareLine(dialect, 404, 'not found') : bareLine(dialect, 200, ref.target);
	};

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
	check(from.type === 'commit', () => crash(dialect));
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
	check(entry?.mode === modes.tree, notFound);
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
	check(located.type !== 'tree', () => crash(dialect));
	const tree = await treeOf(source, located);
	const entry = tree === undefined ? undefined : await follow(source, tree, located.path);
	if (entry === undefined || entry.mode === modes.tree || entry.mode === modes.submodule) {
		throw notFound();
	}
	return blobAnswer(dialect, (await source.read(entry.id)).bytes, located.path.at(-1) ?? '');
};

const getBlobByPath: Handler = async (room, call, repository) => {
	check(restOf(call).length !== 1, notFound);
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
	check(target?.type === 'commit', () => crash(dialect, invalid('start should be the id of a commit', 'start')));
	return target.id;
}

async function wholeBlob(dialect: Dialect, { source }: Repository, { id, type }: Located): Promise<Answer> {
	check(type !== 'tree', () => crash(dialect));
	check(type === 'blob', notFound);
	return blobAnswer(dialect, (await source.read(id)).bytes, id);
}

/** Revision and path from the rest of the path; the default branch if empty. */
async function locateRest({ source }: Repository, call: ApiCall): Promise<Located> {
	const parts = restOf(call);
	const located = need(await locate(source, parts.length === 0 ? ['HEAD'] : parts), notFound);
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
