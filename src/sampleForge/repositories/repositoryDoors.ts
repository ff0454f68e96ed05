import { buffer } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import type { Answer, Call, Method, OpenRoute, User } from '../shared/area.ts';
import { open, param } from '../shared/area.ts';
import { plainText, Refusal } from '../shared/answers.ts';
import { printToPusher, runBackend, type GitService, type Visit } from '../git/smartHttp.ts';
import { type RepositoryRoom, mayRead, mayWrite, movesBetween } from './repositoryRoom.ts';
import type { Repository } from './repositoryStore.ts';
import { check } from '../shared/checks.ts';

/**
 * Git through `git http-backend`. `/~owner/name` acts like HTTPS on a real forge: public reads, no writes.
 * `/ssh/~owner/name` replaces SSH: it authenticates (any user name, a token as password), and allows that user's reads
 * and pushes.
 */
export function gitDoors(room: RepositoryRoom): readonly OpenRoute[] {
	const { git, root } = room;
	const pushes = createPushes(room);
	const route = (method: Method, path: string, handle: OpenRoute['handle']): OpenRoute => ({
		// A HEAD request would leave git running with an unread answer.
		...open(method, path, (call) => (call.request.method === 'HEAD' ? missing : handle(call))),
		streamed: true,
	});
	const front = '/~:owner/:repository';
	const back = `/ssh${front}`;
	return [
		route('GET', `${front}/info/refs`, async (call) => await readFront(room, call, 'info/refs')),
		route('POST', `${front}/git-upload-pack`, async (call) => await readFront(room, call, 'git-upload-pack')),
		route('POST', `${front}/git-receive-pack`, () => readOnly),
		route('GET', `${back}/info/refs`, async (call) => await listBack(room, call)),
		route('POST', `${back}/git-upload-pack`, async (call) => {
			const service = 'git-upload-pack';
			const { folder } = await findBack(room, call, signIn(room, call), service);
			return await runBackend(git, root, call, { folder, service, step: service, pusher: null });
		}),
		route('POST', `${back}/git-receive-pack`, async (call) => {
			const pusher = signIn(room, call);
			return await pushes(await findBack(room, call, pusher, 'git-receive-pack'), pusher, call);
		}),
	];
}

const readOnly = plainText(403, 'This door is for reading. Push through ssh.');
const missing = plainText(404, 'There is no such repository.');

async function readFront(room: RepositoryRoom, call: Call, step: Visit['step']): Promise<Answer> {
	const service = call.query.get('service') ?? (step === 'info/refs' ? '' : step);
	if (service === 'git-receive-pack') {
		return readOnly;
	}
	const repository = findNamed(room, call);
	// Only the smart protocol is spoken; without a service a very old git asks for plain files.
	if (repository === undefined || !mayRead(repository, undefined) || service !== 'git-upload-pack') {
		return missing;
	}
	return await runBackend(room.git, room.root, call, { folder: repository.folder, service, step, pusher: null });
}

async function listBack(room: RepositoryRoom, call: Call): Promise<Answer> {
	const service = call.query.get('service');
	if (service !== 'git-upload-pack' && service !== 'git-receive-pack') {
		return missing;
	}
	const user = signIn(room, call);
	const { folder } = await findBack(room, call, user, service);
	const pusher = service === 'git-receive-pack' ? user : null;
	return await runBackend(room.git, room.root, call, { folder, service, step: 'info/refs', pusher });
}

function findNamed({ context, store }: RepositoryRoom, call: Call): Repository | undefined {
	const owner = context.users.byName(param(call, 'owner').slice(1));
	return owner === undefined ? undefined : store.find(owner, param(call, 'repository').replace(/\.git$/, ''));
}

/** Authenticates; otherwise asks for a password. */
function signIn({ context, tokens }: RepositoryRoom, call: Call): User {
	const [scheme = '', credentials = ''] = (call.headers.authorization ?? '').split(' ');
	const text = scheme.toLowerCase() === 'basic' ? Buffer.from(credentials, 'base64').toString('utf8') : '';
	const grant = tokens.check('git', text.slice(text.indexOf(':') + 1));
	const user = grant === undefined ? undefined : context.users.byName(grant.userName);
	if (user === undefined) {
		const answer = plainText(401, 'Give a token as password.');
		const headers = { ...answer.headers, 'WWW-Authenticate': 'Basic realm="Sample forge"' };
		throw new Refusal({ ...answer, headers });
	}
	return user;
}

/**
 * The repository, if the user may access it. A push to a free own name creates a private one
 * (docs/protocol.md#addresses-for-git).
 */
async function findBack(room: RepositoryRoom, call: Call, user: User, service: GitService): Promise<Repository> {
	const found = findNamed(room, call);
	const name = param(call, 'repository').replace(/\.git$/, '');
	if (found !== undefined) {
		const allowed = service === 'git-receive-pack' ? mayWrite(found, user) : mayRead(found, user);
		check(allowed, () => new Refusal(plainText(403, 'You may not do this.')));
		return found;
	}
	const own = param(call, 'owner') === `~${user.name}` && /^[A-Za-z._-][A-Za-z0-9._-]*$/.test(name);
	if (service === 'git-upload-pack' || !own || room.store.taken(user, name)) {
		throw new Refusal(missing);
	}
	const createdMs = room.context.nowMs();
	return await room.create({ owner: user, name, description: null, visibility: 'private', createdMs });
}

type Push = (repository: Repository, pusher: User, call: Call) => Promise<Answer>;

/** Serializes pushes per repository, so that every reference change belongs to one of them. */
function createPushes(room: RepositoryRoom): Push {
	const last = new Map<Repository, Promise<unknown>>();
	const take: Push = async (repository, pusher, call) => {
		const { source, folder } = repository;
		const service = 'git-receive-pack';
		const before = await source.refs();
		const answer = await runBackend(room.git, room.root, call, { folder, service, step: service, pusher });
		const body = await buffer(answer.body);
		source.changed();
		const moves = movesBetween(before, await source.refs());
		if (moves.length === 0) {
			return { ...answer, body };
		}
		repository.updatedMs = room.context.nowMs();
		const said = await room.hooks.pushed(repository, pusher, moves);
		return { ...answer, body: printToPusher(body, said.map(forConsole).join('')) };
	};
	return async (repository, pusher, call) => {
		const turn = (last.get(repository) ?? Promise.resolve()).then(
			async () => await take(repository, pusher, call),
			async () => await take(repository, pusher, call),
		);
		last.set(repository, turn);
		return await turn;
	};
}

/** A receiver's answer, safe for a terminal. */
function forConsole(text: string): string {
	const lines = stripVTControlCharacters(text).trimEnd().split(/\r?\n/);
	return text === '' ? '' : `${lines.map((line) => line.slice(0, 1024)).join('\n')}\n`;
}
