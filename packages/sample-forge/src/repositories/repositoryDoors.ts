import { buffer } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { type Answer, type Call, type Method, type OpenRoute, type User, open, param } from '../shared/area.ts';
import { plainText, Refusal } from '../shared/answers.ts';
import { type RepositoryRoom, mayRead, mayWrite, movesBetween } from './repositoryRoom.ts';
import type { Repository } from './repositoryStore.ts';
import { check } from '../shared/checks.ts';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import type { GitProgram } from '../git/gitProgram.ts';

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

/**
 * Adds lines that `git push` prints with "remote:" to the answer of a receive-pack: packets of the second band, put
 * before the packet that ends the answer. An answer without bands stays as it is.
 */
export function printToPusher(answer: Buffer, text: string): Buffer {
	const end = endPacket(answer);
	if (end === undefined || text === '') {
		return answer;
	}
	const message = Buffer.from(text.endsWith('\n') ? text : `${text}\n`);
	const packets: Buffer[] = [];
	for (let at = 0; at < message.length; at += mostPerPacket) {
		const part = message.subarray(at, at + mostPerPacket);
		packets.push(Buffer.from((part.length + 5).toString(16).padStart(4, '0')), Buffer.from([2]), part);
	}
	return Buffer.concat([answer.subarray(0, end), ...packets, answer.subarray(end)]);
}

const mostPerPacket = 60_000;

/** Where the last flush packet begins; undefined when the answer is not made of band packets. */
function endPacket(answer: Buffer): number | undefined {
	let at = 0;
	while (at + 4 <= answer.length) {
		const length = Number.parseInt(answer.toString('latin1', at, at + 4), 16);
		if (length === 0) {
			return at;
		}
		const band = answer[at + 4] ?? 0;
		if (Number.isNaN(length) || length < 5 || band < 1 || band > 3) {
			return undefined;
		}
		at += length;
	}
	return undefined;
}

/** One request to `git http-backend`. */
interface Visit {
	/** Folder of the repository below the root of all. */
	readonly folder: string;
	readonly service: GitService;
	/** `info/refs`, or the service itself. */
	readonly step: 'info/refs' | GitService;
	/** Pushing user; null for a read-only door. */
	readonly pusher: User | null;
}

type GitService = 'git-upload-pack' | 'git-receive-pack';

/** Runs `git http-backend` for a request. The body of the answer is a stream. */
async function runBackend(
	git: GitProgram,
	root: string,
	call: Call,
	visit: Visit,
): Promise<Answer & { readonly body: Readable }> {
	const writes = visit.pusher !== null;
	const child = git.start(['-c', `http.receivepack=${writes}`, 'http-backend'], backendEnvironment(root, call, visit));
	child.stderr.resume();
	const { request } = call;
	if (call.method === 'POST') {
		request.pipe(child.stdin);
		request.on('error', () => child.stdin.destroy());
	} else {
		child.stdin.end();
	}
	return await readAnswer(child);
}

function backendEnvironment(
	root: string,
	call: Call,
	{ folder, service, step, pusher }: Visit,
): Readonly<Record<string, string>> {
	const header = (name: string): string => {
		const value = call.headers[name];
		return typeof value === 'string' ? value : '';
	};
	const environment: Record<string, string> = {
		GIT_PROJECT_ROOT: root,
		GIT_HTTP_EXPORT_ALL: '1',
		PATH_INFO: `/${folder}/${step}`,
		REQUEST_METHOD: call.method,
		QUERY_STRING: step === 'info/refs' ? `service=${service}` : '',
		CONTENT_TYPE: header('content-type'),
		REMOTE_ADDR: '127.0.0.1',
		GIT_PROTOCOL: header('git-protocol'),
	};
	if (header('content-length') !== '') {
		environment['CONTENT_LENGTH'] = header('content-length');
	}
	if (header('content-encoding') !== '') {
		environment['HTTP_CONTENT_ENCODING'] = header('content-encoding');
	}
	if (pusher !== null) {
		environment['REMOTE_USER'] = pusher.name;
	}
	return environment;
}

/** Parses the head of a CGI answer and streams the rest. */
async function readAnswer(child: ChildProcessWithoutNullStreams): Promise<Answer & { readonly body: Readable }> {
	let head = Buffer.alloc(0);
	const failed = once(child, 'close').then(
		() => undefined,
		() => undefined,
	);
	const { promise, resolve } = Promise.withResolvers<Buffer | undefined>();
	const collect = (chunk: Buffer): void => {
		head = Buffer.concat([head, chunk]);
		if (head.includes('\r\n\r\n')) {
			child.stdout.off('data', collect);
			child.stdout.pause();
			resolve(head);
		}
	};
	child.stdout.on('data', collect);
	const bytes = await Promise.race([promise, failed]);
	const body = new PassThrough();
	if (bytes === undefined) {
		body.end();
		return { status: 500, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body };
	}
	const end = bytes.indexOf('\r\n\r\n');
	body.write(bytes.subarray(end + 4));
	child.stdout.pipe(body);
	// The reader may disconnect early.
	body.on('close', () => child.kill());
	return { ...readHead(bytes.toString('latin1', 0, end)), body };
}

function readHead(text: string): Pick<Answer, 'status' | 'headers'> {
	const headers: Record<string, string> = {};
	let status = 200;
	for (const line of text.split('\r\n')) {
		const colon = line.indexOf(':');
		const [name, value] = [line.slice(0, colon), line.slice(colon + 1).trim()];
		if (name === 'Status') {
			status = Number.parseInt(value, 10);
		} else {
			headers[name] = value;
		}
	}
	return { status, headers };
}
