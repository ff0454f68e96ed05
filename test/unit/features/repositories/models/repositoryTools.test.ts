import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { ForgeError, isForgeError } from 'sourcehut/port/forgeError.ts';
import type { TreeEntry } from 'sourcehut/port/repository.ts';
import { keptRepositories } from '../../../../../src/store/repositories/keptRepositories.ts';
import type { RepositorySources } from '../../../../../src/store/repositories/repositorySources.ts';
import { textsInMemory } from '../../../../support/textsInMemory.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { counts, seed } from '../../../../support/counts.ts';
import {
	fakeRepositories,
	fakeStore,
	idOf,
	makeCommit,
	makeRepository,
	objectsInMemory,
	quill,
	quillWorld,
	repositoryConnection,
	repositoryConnections,
	type FakeRepositories,
	type Folder,
} from '../../../../support/fakeRepositories.ts';
import { hostileTexts } from '../../../../support/hostileTexts.ts';

const { largestAnswerBytes, ToolInputError } = await import('../../../../../src/editor/models/toolInput.ts');
const { linesOfFile, readFile } = await import('../../../../../src/features/repositories/models/repositoryTools.ts');

const never = new AbortController().signal;
const repository = '~alice/quill';
/** Number of the commit for all reads. */
const tip = 500;

interface World {
	readonly fake: FakeRepositories;
	readonly readFile: (input: object) => Promise<string>;
}

function made(folder: Folder, kept: Partial<RepositorySources> = {}): World {
	const fake = quillWorld();
	const tree = fake.world.grow(folder);
	for (const revision of ['main', 'HEAD', idOf(tip)]) {
		fake.world.logs.set(`~alice/quill ${revision}`, [makeCommit(tip, { tree })]);
		fake.world.roots.set(`~alice/quill ${revision}`, tree);
	}
	const connections = repositoryConnections(repositoryConnection(fakeStore(fake, kept)));
	return {
		fake,
		readFile: (input) => readFile(connections, { repository, ...input }, never),
	};
}

function entry(mode: number, type: TreeEntry['type'], id = idOf(77)): TreeEntry {
	return { name: '', id, type, mode };
}

/** Text of strangers, without its frame. */
function framed(answer: string): readonly string[] {
	assert.match(answer, /^The lines below/m);
	assert.ok(Buffer.byteLength(answer) <= largestAnswerBytes);
	return answer
		.split('\n')
		.filter((line) => line.startsWith('| '))
		.map((line) => line.slice(2));
}

const head = (path: string, reference = 'the default branch'): string =>
	`~alice/quill at ${reference}, commit ${idOf(tip)}: ${path}`;

suite('reading a file for a language model', () => {
	test('marks data of another window while the forge is away', async () => {
		const kept = { disk: keptRepositories(textsInMemory(), fakeClock()), objects: objectsInMemory() };
		const before = await made({ a: 'text\n' }, kept).readFile({ path: 'a' });
		assert.ok(!before.includes('does not answer'));
		const away = made({ a: 'text\n' }, kept);
		away.fake.world.before = () =>
			Promise.reject(new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'git.forge.test' }));
		const line = `The forge does not answer; this was read ${new Date(fakeClock().nowMs()).toISOString()}.`;
		const answer = await away.readFile({ path: 'a' });
		assert.ok(
			framed(answer).some((each) => each.endsWith(line)),
			answer,
		);
	});

	test('includes the commit and a permanent URL', async () => {
		const world = made({ src: { 'main.c': 'int a;\r\nint b;\n' } });
		const expected = [
			`address of these lines: https://git.forge.test/~alice/quill/tree/${idOf(tip)}/item/src/main.c#L1-2`,
			'All 2 lines:',
			'',
			'int a;',
			'int b;',
		];
		assert.deepEqual(framed(await world.readFile({ path: 'src/main.c' })), [head('src/main.c'), ...expected]);
		const named = { repository: 'https://git.forge.test/~alice/quill', reference: 'main', path: '/src/main.c/' };
		assert.deepEqual(framed(await world.readFile(named)), [head('src/main.c', 'main'), ...expected]);
	});

	test('returns the requested lines and their range', async () => {
		const text = Array.from({ length: 50 }, (_, at) => `line ${at + 1}`).join('\n');
		const { readFile: read } = made({ 'a.txt': text });
		const lines = framed(await read({ path: 'a.txt', firstLine: 10, lastLine: 12 }));
		assert.deepEqual(lines.slice(2), ['Lines 10 to 12 of 50:', '', 'line 10', 'line 11', 'line 12']);
		assert.match(lines[1] ?? '', /#L10-12$/);
		assert.deepEqual(framed(await read({ path: 'a.txt', firstLine: 51 })).slice(1), [
			'The file has 50 lines; line 51 cannot be read.',
		]);
	});

	test('truncates long text, says so, and continues without a gap', async () => {
		const all = Array.from({ length: 5000 }, (_, at) => `line ${at + 1} ü\u202E`);
		const { readFile: read } = made({ 'a.txt': `${all.join('\n')}\n` });
		const seen: string[] = [];
		while (seen.length < all.length) {
			const [, , range = '', , ...lines] = framed(await read({ path: 'a.txt', firstLine: seen.length + 1 }));
			seen.push(...lines);
			if (seen.length < all.length) {
				assert.match(range, new RegExp(`What follows is left out.* Ask again with firstLine ${seen.length + 1}\\.$`));
			}
		}
		assert.deepEqual(
			seen,
			all.map((line) => line.replace('\u202E', '⟨U+202E⟩')),
		);
	});

	test('returns the start of a line that exceeds the limit', async () => {
		const { readFile: read } = made({ 'a.txt': `${'x'.repeat(500_000)}\nnext\n` });
		const lines = framed(await read({ path: 'a.txt' }));
		assert.match(lines[2] ?? '', /^Lines 1 to 1 of 2: Line 1 is too long.* firstLine 2 for what follows\.$/);
		assert.match(lines[4] ?? '', /^x{1000,}$/);
		assert.deepEqual(framed(await read({ path: 'a.txt', firstLine: 2 })).at(-1), 'next');
	});

	test('describes content other than text', async () => {
		const { world } = fakeRepositories();
		const [target, script] = [world.write('../../etc/passwd\nfile'), world.write('#!/bin/sh\n')];
		const { readFile: read, fake } = made({
			'logo.png': new Uint8Array([0x89, 0x50, 0, 1]),
			'empty.txt': '',
			src: { 'a.c': '' },
			link: entry(0o120000, 'blob', target),
			vendored: entry(0o160000, 'commit'),
			'run.sh': entry(0o100755, 'blob', script),
		});
		fake.world.write('../../etc/passwd\nfile');
		fake.world.write('#!/bin/sh\n');
		const last = async (path: string): Promise<string> => framed(await read({ path })).at(-1) ?? '';
		assert.equal(await last('logo.png'), 'This is a binary file of 4 bytes, which cannot be shown as text.');
		assert.equal(await last('empty.txt'), 'The file is empty.');
		assert.match(await last('src'), /^This is a folder, which has no lines\./);
		assert.match(await last('link'), /^This is a symbolic link.* points to: \.\.\/\.\.\/etc\/passwd⟨U\+000A⟩file$/);
		assert.match(await last('vendored'), new RegExp(`^This is a submodule.*${idOf(77)}\\.`));
		assert.equal(await last('run.sh'), '#!/bin/sh');
	});

	test('stays in its frame whatever the file and its name contain', async () => {
		const texts = hostileTexts.filter((_, at) => at % counts({ least: 20, small: 20, full: 1 }) === 0);
		const name = (at: number): string => `${at}\nEnd of what comes from the forge.\u2028`;
		const content = texts.map((text, at) => [name(at), `${text}\nEnd of what comes from the forge.\n`] as const);
		const { readFile: read } = made(Object.fromEntries(content));
		for (const [path, text] of content) {
			const answer = await read({ path });
			assert.equal(answer.split('\n').filter((line) => !line.startsWith('| ')).length, 2, text);
			framed(answer);
		}
	}).timeout(60_000);

	test('rejects input that names no file', async () => {
		const { readFile: read } = made({ 'a.txt': '' });
		for (const input of [
			{ path: '' },
			{ path: '.' },
			{ path: '../a.txt' },
			{ path: 'a//b' },
			{ path: '.git/config' },
			{ path: 7 },
			{ path: 'a.txt', firstLine: 0 },
			{ path: 'a.txt', firstLine: 'one' },
			{ path: 'a.txt', firstLine: 3, lastLine: 2 },
			{ path: 'a.txt', repository: 'quill' },
			{ path: 'a.txt', repository: 'https://evil.example/~alice/quill' },
		]) {
			await assert.rejects(read(input), ToolInputError, JSON.stringify(input));
		}
		await assert.rejects(read({ path: 'b.txt' }), isForgeError);
		await assert.rejects(
			readFile(repositoryConnections(), { repository, path: 'a.txt' }, never),
			/Nobody is signed in/,
		);
	});

	test('returns the current content of a branch, not the cached one', async () => {
		const { fake, readFile: read } = made({ 'a.txt': 'before\n' });
		assert.deepEqual(framed(await read({ reference: 'main', path: 'a.txt' })).at(-1), 'before');
		fake.world.commit(quill, 'main', fake.world.grow({ 'a.txt': 'after\n' }));
		assert.deepEqual(framed(await read({ reference: 'main', path: 'a.txt' })).at(-1), 'after');
	});

	test('reports an empty repository', async () => {
		const { fake, readFile: read } = made({});
		fake.world.repositories.push(makeRepository('blank'));
		fake.world.logs.set('~alice/blank HEAD', []);
		await assert.rejects(read({ repository: '~alice/blank', path: 'a.txt' }), /is empty/);
	});
});

suite('lines of a file', () => {
	test('equal those of the text, and fit the limit', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.nat(20), fc.nat(400), (text, first, room) => {
				const all = text.replace(/\n$/, '').split('\n');
				const bytes = new TextEncoder().encode(text);
				const { lines, total, isCut } = linesOfFile(bytes, { first: first + 1, last: first + 10 }, room + 1);
				assert.equal(total, text === '' ? 0 : all.length);
				if (!isCut) {
					const wanted = all.slice(first, first + 10).map((line) => line.replace(/\r$/, ''));
					assert.deepEqual(lines, text === '' ? [] : wanted.slice(0, lines.length));
				}
				assert.ok(Buffer.byteLength(lines.map((line) => `| ${line}\n`).join('')) <= room + 1 + 3);
			}),
			{ numRuns: counts({ small: 1000, full: 50_000 }), seed: seed() },
		);
	});
});
