import type { ServerResponse } from 'node:http';
import { startLocalServer, type LocalServer } from '../localServer.ts';

/** A repository that git could not create: `~alice/hostile`, with scripted responses on every route. */
export type HostileCase =
	| 'millionEntries'
	| 'asManyAsFit'
	| 'itself'
	| 'itselfTwice'
	| 'chain'
	| 'names'
	| 'otherTree'
	| 'otherBlob'
	| 'endlessTree'
	| 'drippingTree'
	| 'endlessBlob'
	| 'drippingBlob'
	| 'widening'
	| 'flooding';

const commitId = 'c'.repeat(40);
const rootId = 'a'.repeat(40);
const blobId = 'b'.repeat(40);
const chainLength = 100_000;
const hostileNames: readonly string[] = [
	'..',
	'.',
	'',
	'a/b',
	'/etc/passwd',
	'a\0b',
	'.git',
	'.GIT',
	'back\\slash',
	'\uD800',
	'twice',
	'twice',
	'x'.repeat(1_000_000),
	'right\u202Egnp.exe',
	'fine',
];

/** Starts the server on the loopback. `drips` runs before each slow chunk. */
export function startTreeForge(wanted: HostileCase, drips: () => void): Promise<LocalServer> {
	return startLocalServer((request, response) => {
		const [, , , , route = '', ...rest] = decodeURIComponent(request.url ?? '').split('/');
		response.on('error', () => undefined);
		response.setHeader('Content-Type', route === 'blob' ? 'text/plain; charset=utf-8' : 'application/json');
		switch (route) {
			case 'log':
				return void response.end(JSON.stringify({ next: null, results: [commit], total: 1, results_per_page: 50 }));
			case 'tree':
				return sendTree({ wanted, at: rest.join('/'), drips }, response);
			case 'blob':
				return sendBlob({ wanted, drips }, response);
			default:
				response.writeHead(404).end();
		}
	});
}

const person = { name: 'A', email: 'a@forge.test' };
const commit = {
	id: commitId,
	short_id: commitId.slice(0, 7),
	author: person,
	committer: person,
	timestamp: '2026-11-17T12:00:00Z',
	message: 'm',
	tree: rootId,
	parents: [],
	signature: null,
};

interface WireEntry {
	readonly name: string;
	readonly id: string;
	readonly type: string;
	readonly mode: number;
}

const folder = (name: string, id: string): WireEntry => ({ name, id, type: 'tree', mode: 16384 });
const file = (name: string, id = blobId): WireEntry => ({ name, id, type: 'blob', mode: 33188 });

function treeText(id: string, entries: readonly WireEntry[]): string {
	return JSON.stringify({ id, short_id: id.slice(0, 7), entries });
}

/** The end of a tree with many entries of one name. */
const stuffingOf = (count: number): Buffer => Buffer.from(`${`,${JSON.stringify(file('twice'))}`.repeat(count)}]}`);
const stuffing = { widening: stuffingOf(8000), flooding: stuffingOf(140_000) };

interface Asked {
	readonly wanted: HostileCase;
	/** The requested id of a commit or tree. */
	readonly at: string;
	readonly drips: () => void;
}

function sendTree({ wanted, at, drips }: Asked, response: ServerResponse): void {
	const id = at.startsWith(commitId) || at === '' ? rootId : at;
	const send = (...entries: readonly WireEntry[]): void => void response.end(treeText(id, entries));
	switch (wanted) {
		case 'millionEntries':
			return sendMany(id, 1_000_000, response);
		case 'asManyAsFit':
			return sendMany(id, 150_000, response);
		case 'itself':
			return send(folder('again', id));
		case 'itselfTwice':
			return send(folder('one', id), folder('two', id));
		case 'chain': {
			const number = id === rootId ? 0 : Number.parseInt(id, 16);
			return number < chainLength ? send(folder('d', (number + 1).toString(16).padStart(40, '0'))) : send(file('end'));
		}
		case 'names':
			return send(...hostileNames.map((name) => file(name)));
		case 'otherTree':
			return id === rootId
				? send(folder('d', '1'.repeat(40)))
				: void response.end(treeText('d'.repeat(40), [file('x')]));
		case 'endlessTree':
		case 'drippingTree':
			return id === rootId
				? send(folder('d', '1'.repeat(40)))
				: withoutEnd(response, wanted === 'drippingTree' ? drips : undefined);
		case 'widening':
		case 'flooding': {
			// Every folder links to 64 others and has many entries of one name.
			const seed = id === rootId ? '0' : id.slice(-6);
			const below = Array.from({ length: 64 }, (_, index) =>
				folder(`d${index}`, `${seed}${index.toString(16).padStart(2, '0')}`.padStart(40, '2').slice(-40)),
			);
			response.write(treeText(id, below).slice(0, -2));
			return void response.end(id === rootId ? ']}' : stuffing[wanted]);
		}
		case 'otherBlob':
		case 'endlessBlob':
		case 'drippingBlob':
			return send(file('x'));
	}
}

function sendBlob({ wanted, drips }: Omit<Asked, 'at'>, response: ServerResponse): void {
	if (wanted === 'otherBlob') {
		response.end('not what the id says');
	} else {
		withoutEnd(response, wanted === 'drippingBlob' ? drips : undefined);
	}
}

/** Streams one tree, so the server never holds it in memory. */
function sendMany(id: string, count: number, response: ServerResponse): void {
	response.write(`{"id":"${id}","short_id":"${id.slice(0, 7)}","entries":[`);
	let number = 0;
	const more = (): void => {
		while (number < count && !response.destroyed) {
			const lines: string[] = [];
			for (const end = Math.min(count, number + 1000); number < end; number += 1) {
				lines.push(`${number === 0 ? '' : ','}${JSON.stringify(file(`f${number}`))}`);
			}
			if (!response.write(lines.join(''))) {
				response.once('drain', more);
				return;
			}
		}
		response.end(']}');
	};
	more();
}

const blanks = Buffer.alloc(64 * 1024, ' ');

/** Endless blanks: at full speed, or with `drips`, one chunk every few milliseconds. */
function withoutEnd(response: ServerResponse, drips: (() => void) | undefined): void {
	let isTold = false;
	const more = (): void => {
		if (drips) {
			// Every second time, so the reader has the previous chunk before the next notice.
			isTold = !isTold;
			if (isTold) {
				drips();
			} else {
				response.write(' ');
			}
			return;
		}
		while (!response.destroyed && response.write(blanks)) {
			// Only as fast as the client reads.
		}
	};
	const timer = drips ? setInterval(more, 10) : undefined;
	response.on('drain', more);
	response.on('close', () => clearInterval(timer));
	more();
}
