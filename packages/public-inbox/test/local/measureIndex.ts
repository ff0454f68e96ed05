// `node packages/public-inbox/test/local/measureIndex.ts [MAILS] [--peer]`, in the root: reading a large mailbox into a new index, and
// searching it. With `--peer`, notmuch reads the same mails. Takes minutes, so no stage runs it.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempDisposableSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { IndexAnswer } from '../../src/local/indexAnswerer.ts';
import { LocalList, mailboxAt } from '../../src/local/localList.ts';
import { longestBlock } from '../../../../test/bench/longestBlock.ts';
import { boxed, generatedMails } from '../../../../test/support/generatedMails.ts';

const never = new AbortController().signal;
/** Limits of the heap of the thread, for the extension to use. */
const heapMb = 40;
const youngMb = 4;

const queries = [
	'',
	'(s:patch OR s:rfc) AND NOT s:re:',
	's:"v3 0/4"',
	's:patch f:example3.org',
	'return',
	'dfn:drivers/net',
	'dfn:drivers/net d:20190201..20190301',
	'nq:"reviewed by"',
	'patch AND NOT re',
	'rt:1546300800..1556300800 static',
	'change-id:2019',
	'nothing-like-it',
	'NOT s:re',
	'd:20190105.. OR s:nothing',
	'q:static b:return',
	'bal* OR col*',
	'm:2019*',
] as const;

if (process.argv[2] === '--read') {
	const [path = '', file = ''] = process.argv.slice(3);
	await measureReading(path, file, process.argv.includes('--blocks'));
} else {
	await measureAll(Number(process.argv[2] ?? 100_000), process.argv.includes('--peer'));
}

async function measureReading(path: string, file: string, withBlocks: boolean): Promise<void> {
	const program = `
const { parentPort } = require('node:worker_threads');
const loading = import(${JSON.stringify(new URL('indexAnswerer.js', import.meta.url).href)}).then((all) => all.indexAnswerer());
parentPort.on('message', (question) => loading.then((answer) => answer(question)).then((answer) => parentPort.postMessage(answer)));`;
	const worker = new Worker(program, {
		eval: true,
		resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngMb },
	});
	let last: Promise<unknown> = Promise.resolve();
	const list = new LocalList(
		await mailboxAt(path, Date.now),
		(question) => {
			const asked = last.then(
				() =>
					new Promise<IndexAnswer>((resolve) => {
						worker.once('message', resolve);
						worker.postMessage(question, []);
					}),
			);
			last = asked;
			return asked;
		},
		file,
		Date.now,
	);
	const startMs = performance.now();
	let mails = 0;
	const refresh = (): Promise<void> =>
		list.refresh((count) => {
			mails = count;
		}, never);
	// Watching the turns of the event loop takes a processor, so times come from another run.
	const blockMs = withBlocks ? await longestBlock(refresh, 1) : await refresh();
	const seconds = (performance.now() - startMs) / 1000;
	const { user, system } = process.cpuUsage();
	const work = ((user + system) / 1e6).toFixed(1);
	if (blockMs !== undefined) {
		console.log(`ours: longest block of the main thread ${blockMs.toFixed(1)} ms`);
		await worker.terminate();
		return;
	}
	const times: number[] = [];
	for (let round = 0; round < 20; round += 1) {
		for (const query of queries) {
			const [beganMs, began] = [performance.now(), process.cpuUsage()];
			await list.search({ query, from: 0, rows: 50 }, never);
			const { user, system } = process.cpuUsage(began);
			// The time in which other programs had the processor does not count.
			times.push(Math.min(performance.now() - beganMs, (user + system) / 1000));
		}
	}
	times.sort((a, b) => a - b);
	const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(1);
	console.log(
		`ours: ${mails} mails in ${seconds.toFixed(1)} s, ${work} s of them work; search p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(0.999)} ms; memory of the process ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB; index ${(statSync(file).size / 2 ** 20).toFixed(0)} MiB`,
	);
	const page = { query: '(s:patch OR s:rfc) AND NOT s:re:', from: 0, rows: 200 };
	const openedMs = performance.now();
	const turnMs = await longestTurn(async () => {
		await list.refresh(() => undefined, never);
		await list.search(page, never);
	});
	const wholeMs = (performance.now() - openedMs).toFixed(0);
	console.log(`ours: opening again ${wholeMs} ms, longest turn of the main thread ${turnMs.toFixed(1)} ms of work`);
	await worker.terminate();
}

/** Work of the main thread between two turns of its event loop. Other programs of a busy machine do not count. */
async function longestTurn(work: () => Promise<void>): Promise<number> {
	let isOver = false;
	let longestMs = 0;
	let before = process.threadCpuUsage();
	const turn = (): void => {
		const { user, system } = process.threadCpuUsage(before);
		longestMs = Math.max(longestMs, (user + system) / 1000);
		before = process.threadCpuUsage();
		if (!isOver) {
			setImmediate(turn);
		}
	};
	setImmediate(turn);
	await work();
	isOver = true;
	return longestMs;
}

async function measureAll(count: number, withPeer: boolean): Promise<void> {
	const { build } = await import('esbuild');
	using folder = mkdtempDisposableSync(join(tmpdir(), 'measured-index-'));
	const [path, maildir] = [join(folder.path, 'mails.mbox'), join(folder.path, 'maildir')];
	['cur', 'new', 'tmp'].forEach((name) => mkdirSync(join(maildir, name), { recursive: true }));
	const file = openSync(path, 'w');
	let made = 0;
	for (const { bytes } of generatedMails(count)) {
		made += 1;
		writeSync(file, boxed(bytes));
		if (withPeer) {
			writeFileSync(join(maildir, 'cur', `${made}.host:2,S`), bytes);
		}
	}
	closeSync(file);
	console.log(`${made} mails, ${(statSync(path).size / 2 ** 20).toFixed(0)} MiB`);
	// Bundled as in the extension: the compiler of types would count as memory.
	await build({
		entryPoints: {
			read: import.meta.filename,
			indexAnswerer: join(import.meta.dirname, '../../src/local/indexAnswerer.ts'),
		},
		outdir: folder.path,
		bundle: true,
		platform: 'node',
		format: 'esm',
		external: ['esbuild'],
		// CommonJS packages call `require` for modules of Node.
		banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
		logLevel: 'error',
	});
	let indexes = 0;
	writeFileSync(join(folder.path, 'package.json'), '{ "type": "module" }');
	for (const [mailbox, ...more] of [[path], [path, '--blocks'], ...(withPeer ? [[maildir]] : [])]) {
		indexes += 1;
		const args = [join(folder.path, 'read.js'), '--read', mailbox ?? '', join(folder.path, `index${indexes}`), ...more];
		execFileSync(process.execPath, args, { stdio: 'inherit' });
	}
	if (withPeer) {
		const settings = join(folder.path, 'notmuch-config');
		writeFileSync(
			settings,
			`[database]\npath=${maildir}\n[user]\nname=A\nprimary_email=a@example.org\n[new]\ntags=inbox\n`,
		);
		const startMs = performance.now();
		execFileSync('notmuch', ['new', '--quiet'], {
			env: { ...process.env, NOTMUCH_CONFIG: settings },
			stdio: 'inherit',
		});
		console.log(`notmuch new: ${((performance.now() - startMs) / 1000).toFixed(1)} s`);
	}
}
