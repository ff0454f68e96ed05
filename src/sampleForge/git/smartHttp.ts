import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import type { Answer, Call, User } from '../shared/area.ts';
import type { GitProgram } from './gitProgram.ts';

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
export interface Visit {
	/** Folder of the repository below the root of all. */
	readonly folder: string;
	readonly service: GitService;
	/** `info/refs`, or the service itself. */
	readonly step: 'info/refs' | GitService;
	/** Pushing user; null for a read-only door. */
	readonly pusher: User | null;
}

export type GitService = 'git-upload-pack' | 'git-receive-pack';

/** Runs `git http-backend` for a request. The body of the answer is a stream. */
export async function runBackend(
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
