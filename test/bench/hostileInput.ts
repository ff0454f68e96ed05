import '../support/vscodeStub.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { undiciClient } from 'sourcehut/http/undiciClient.ts';
import { markdownRenderer } from '../../src/engine/text/markdown.ts';
import { directTransport, systemClock } from '../support/contractForge.ts';
import { blockFigure, counted, mebibyte, mostFigure } from './figures.ts';
import type { Figure, Size } from './measurement.ts';
import { webOf } from '../../src/editor/links/webOf.ts';
import { sampleInstance } from '../support/fakeConnection.ts';

const sizes = {
	full: { answerBytes: 8 * mebibyte, textLength: 16_384, rounds: 5 },
	smallest: { answerBytes: 100_000, textLength: 256, rounds: 1 },
} as const;

/** Mostly garbage; a list of single chunks took ten times as much. */
const mostMebibytes = 256;

export async function measure(size: Size): Promise<readonly Figure[]> {
	return [...(await oneByteChunks(size)), ...markdown(size), await parsers(size)];
}

/** A program of a server whose answers come in chunks of one byte. */
const server = `
const bytes = Number(process.argv[1]);
const chunks = Buffer.from('1\\r\\nx\\r\\n'.repeat(10000));
require('node:net').createServer((socket) => {
	let left = bytes;
	const go = () => {
		while (left > 0) {
			const now = Math.min(left, 10000);
			left -= now;
			if (!socket.write(chunks.subarray(0, now * 6))) return void socket.once('drain', go);
		}
		socket.end('0\\r\\n\\r\\n');
	};
	socket.on('error', () => {});
	socket.once('data', () => {
		socket.write('HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\nConnection: close\\r\\n\\r\\n');
		go();
	});
}).listen(0, '127.0.0.1', function () { process.stdout.write(String(this.address().port)); });
`;

async function oneByteChunks(size: Size): Promise<readonly Figure[]> {
	const { answerBytes } = sizes[size];
	const child = spawn(process.execPath, ['-e', server, String(answerBytes)], { stdio: ['ignore', 'pipe', 'inherit'] });
	const client = undiciClient({ transport: directTransport, clock: systemClock, random: () => 0 });
	try {
		const said: readonly unknown[] = await once(child.stdout, 'data');
		const get = async (): Promise<void> => {
			const { body } = await client.send({
				method: 'GET',
				origin: `http://127.0.0.1:${String(said[0])}`,
				path: '/',
				limitBytes: answerBytes,
				deadlineMs: 600_000,
				signal: new AbortController().signal,
			});
			if (body.byteLength !== answerBytes) {
				throw new Error(`${body.byteLength} of ${answerBytes} bytes came`);
			}
		};
		const memory = await mostMemoryDuring(get);
		const answer = `An answer of ${counted(answerBytes)} chunks of one byte`;
		return [
			mostFigure(
				`${answer}: memory that the process grows by`,
				memory / mebibyte,
				{ most: mostMebibytes, unit: ' MiB' },
				'resident memory, garbage counted in; 2.6 to 3.0 GB where each chunk is kept as it came',
			),
		];
	} finally {
		await client.close();
		child.kill();
	}
}

async function mostMemoryDuring(run: () => Promise<void>): Promise<number> {
	const before = process.memoryUsage.rss();
	let most = before;
	const look = (): void => {
		most = Math.max(most, process.memoryUsage.rss());
	};
	const timer = setInterval(look, 5);
	try {
		await run();
	} finally {
		clearInterval(timer);
	}
	look();
	return most - before;
}

function markdown(size: Size): readonly Figure[] {
	const { textLength, rounds } = sizes[size];
	const renderer = markdownRenderer({ image: 'Picture', taskDone: 'Done', taskOpen: 'To do' });
	const context = {
		base: 'https://todo.forge.test/~a/b/1',
		web: webOf(sampleInstance),
		tracker: { owner: '~a', name: 'b' },
	};
	const nested = `${'!['.repeat(99)}a${'](b)'.repeat(99)} `;
	return [
		['brackets of pictures that do not end', '!['],
		['pictures in the texts of pictures, 99 deep', nested],
	].map(([name = '', again = '']) => {
		const text = repeated(again, textLength);
		const ms = fastest(() => renderer.render(text, context), rounds);
		return blockFigure(`${counted(textLength)} characters of ${name}, as HTML`, ms, `fastest of ${rounds} runs`);
	});
}

/** The slowest reader of text over one repeated word of its grammar. */
async function parsers(size: Size): Promise<Figure> {
	const { textLength, rounds } = sizes[size];
	const { textParsers } = await import('../support/textParsers.ts');
	const atOnce = textParsers.filter(({ rests }) => !rests);
	const all = atOnce.flatMap(({ name, tokens, read }) =>
		tokens.map((token) => {
			const text = repeated(token, textLength);
			return { what: `${name}, of ${JSON.stringify(token)}`, ms: fastest(() => read(text), rounds) };
		}),
	);
	const [longest] = all.toSorted((one, other) => other.ms - one.ms);
	return blockFigure(
		`${counted(textLength)} characters of one word: longest of ${atOnce.length} readers of text that do not rest`,
		longest?.ms ?? Number.NaN,
		`${longest?.what ?? 'none'}; ${counted(all.length)} texts, fastest of ${rounds} runs each`,
	);
}

function repeated(again: string, length: number): string {
	return again.repeat(Math.ceil(length / again.length));
}

function fastest(run: () => unknown, rounds: number): number {
	const times = Array.from({ length: rounds }, () => {
		const beganMs = performance.now();
		run();
		return performance.now() - beganMs;
	});
	return Math.min(...times);
}
