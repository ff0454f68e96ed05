import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { Emitter } from '@forge-desk/base/event.ts';
import type { AskPass } from './hardenedGit.ts';
import { inPrivateFolder, putFile } from './ownFolder.ts';

/** Asks the user a question of git, such as `Password for 'smtp://…': `; `undefined` without an answer. */
export type AskPerson = (question: string, signal: AbortSignal) => Promise<string | undefined>;

/** {@link withAskPass} with its dependencies. */
export type WithAskPass = <T>(
	ask: AskPerson,
	signal: AbortSignal,
	work: (askPass: AskPass) => Promise<T>,
) => Promise<T>;

/** Longer input is not a question. */
const longestQuestion = 4000;

/**
 * Runs `work` with an askpass program for git (gitcredentials, "Requesting credentials"). The program passes the
 * question to this process and prints the answer. `node`: Node, or an editor that runs as Node. The answer never touches the disk or an argument. The program is
 * removed afterwards.
 */
export async function withAskPass<T>(
	{ tempFolder, node, isWindows }: { readonly tempFolder: string; readonly node: string; readonly isWindows: boolean },
	ask: AskPerson,
	signal: AbortSignal,
	work: (askPass: AskPass) => Promise<T>,
): Promise<T> {
	return await inPrivateFolder(tempFolder, async (folder) => {
		const secret = randomBytes(16).toString('hex');
		const pipe = isWindows ? String.raw`\\.\pipe\forge-desk-${randomBytes(16).toString('hex')}` : join(folder, 'ask');
		const ending = new AbortController();
		const asked = AbortSignal.any([signal, ending.signal]);
		const open = new Set<Socket>();
		const changes = new Emitter<void>();
		let questions = 0;
		const asking = (more: number): void => {
			questions += more;
			changes.fire();
		};
		const server = createServer((socket) => {
			open.add(socket);
			socket.on('close', () => open.delete(socket));
			// A killed program closes its socket early.
			socket.on('error', () => socket.destroy());
			answer(socket, secret, async (question) => {
				asking(1);
				try {
					return await ask(question, asked);
				} finally {
					asking(-1);
				}
			}).catch(() => socket.destroy());
		});
		try {
			const listening = once(server, 'listening');
			server.listen(pipe);
			await listening;
			await putFile(folder, 'ask.cjs', client);
			const program = await putFile(folder, 'ask.sh', starter);
			await chmod(program, 0o700);
			return await work({
				program,
				environment: {
					FORGE_DESK_NODE: node,
					FORGE_DESK_ASK: join(folder, 'ask.cjs'),
					FORGE_DESK_PIPE: pipe,
					FORGE_DESK_SECRET: secret,
				},
				questions: { isOpen: () => questions > 0, onDidChange: changes.event },
			});
		} finally {
			ending.abort();
			changes.dispose();
			open.forEach((socket) => socket.destroy());
			server.close();
		}
	});
}

/** Protocol: one line with secret and question, then the reply. */
async function answer(
	socket: Socket,
	secret: string,
	ask: (question: string) => Promise<string | undefined>,
): Promise<void> {
	let text = '';
	socket.setEncoding('utf8');
	for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
		text += String(chunk);
		if (text.includes('\n') || text.length > longestQuestion) {
			break;
		}
	}
	const [line = ''] = text.split('\n', 1);
	if (!line.startsWith(`${secret} `)) {
		socket.destroy();
		return;
	}
	const reply = await ask(line.slice(secret.length + 1));
	socket.end(reply === undefined ? '' : `=${reply.replaceAll(/[\r\n]/g, '')}`);
}

const starter = `#!/bin/sh
ELECTRON_RUN_AS_NODE=1
export ELECTRON_RUN_AS_NODE
exec "$FORGE_DESK_NODE" "$FORGE_DESK_ASK" "$@"
`;

/** Exit code 1: no reply. */
const client = `'use strict';
const { FORGE_DESK_PIPE, FORGE_DESK_SECRET } = process.env;
const socket = require('node:net').connect(FORGE_DESK_PIPE);
let reply = '';
socket.setEncoding('utf8');
socket.on('error', () => process.exit(1));
socket.on('data', (chunk) => (reply += chunk));
socket.on('end', () => {
	if (!reply.startsWith('=')) {
		process.exit(1);
	}
	process.stdout.write(reply.slice(1) + '\\n');
});
socket.write(FORGE_DESK_SECRET + ' ' + String(process.argv[2] || '').replace(/[\\r\\n]+/g, ' ') + '\\n');
`;
