import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileLines, type FileLines } from '../../../../src/machine/storage/fileLines.ts';
import { eventually } from '../../../support/eventually.ts';

suite('lines that all windows append to a file', () => {
	let folder: string;
	let path: string;
	setup(() => {
		folder = mkdtempSync(join(tmpdir(), 'forge-desk-lines-'));
		path = join(folder, 'windows', 'seen.txt');
	});
	teardown(async () => {
		await Promise.all(opened.splice(0).map((lines) => lines.flush()));
		rmSync(folder, { recursive: true });
	});
	const opened: FileLines[] = [];

	function open(most: number): FileLines {
		const lines = fileLines(path, most);
		opened.push(lines);
		return lines;
	}

	/** Lines that another window reads. */
	const there = (): Promise<readonly string[]> => Promise.resolve(fileLines(path, 100).read());

	test('reach the disk soon, in order', async () => {
		const lines = open(100);
		assert.deepEqual(lines.read(), []);
		const all = Array.from({ length: 50 }, (_, at) => `line ${at}`);
		all.forEach((line) => lines.add(line));
		await eventually(there, all);
		lines.add('later');
		await eventually(there, [...all, 'later']);
	});

	test('survive when two windows find the file full', async () => {
		const [first, second] = [open(3), open(3)];
		['a', 'b', 'c'].forEach((line) => first.add(line));
		await eventually(there, ['a', 'b', 'c']);
		second.read();
		first.add('d');
		await eventually(there, ['a', 'b', 'c', 'd']);
		second.add('e');
		await eventually(there, ['a', 'b', 'c', 'd', 'e']);
	});

	test('are all on disk after flush(), readable only by the user', async () => {
		const lines = open(100);
		lines.add('one');
		lines.add('two');
		const writing = lines.flush();
		assert.deepEqual([...new Set(await there())], ['one', 'two']);
		await writing;
		const read = await there();
		await lines.flush();
		assert.deepEqual([await there(), [...new Set(read)]], [read, ['one', 'two']]);
		if (process.platform !== 'win32') {
			assert.equal(statSync(path).mode & 0o777, 0o600);
		}
	});

	test('go next to those of other windows', async () => {
		const [one, other] = [open(100), open(100)];
		one.add('one');
		await eventually(there, ['one']);
		other.add('other');
		await eventually(there, ['one', 'other']);
	});

	test('keep the newest ones and at most as many older ones', async () => {
		const lines = open(10);
		for (let count = 0; count < 100; count += 1) {
			lines.add(String(count));
			await eventually(async () => (await there()).at(-1), String(count));
		}
		const all = await there();
		assert.ok(all.length >= 10 && all.length <= 20, `${all.length}`);
		const newest = Array.from({ length: all.length }, (_, at) => String(100 - all.length + at));
		assert.deepEqual(all, newest);
		assert.deepEqual(readdirSync(join(folder, 'windows')).toSorted(), ['seen.txt', 'seen.txt.old']);
	});

	test('of an earlier window count when the file rotates', async () => {
		const before = open(4);
		['a', 'b', 'c', 'd'].forEach((line) => before.add(line));
		await eventually(there, ['a', 'b', 'c', 'd']);
		const after = open(4);
		after.read();
		after.add('e');
		await eventually(there, ['a', 'b', 'c', 'd', 'e']);
		assert.deepEqual(readdirSync(join(folder, 'windows')).toSorted(), ['seen.txt', 'seen.txt.old']);
	});

	test('start on a new line after a half-written one', async () => {
		const lines = open(100);
		lines.add('one');
		await eventually(there, ['one']);
		appendFileSync(path, '\ntw');
		lines.add('three');
		await eventually(there, ['one', 'tw', 'three']);
	});

	test('are lost without harm when the disk rejects them', async () => {
		writeFileSync(join(folder, 'windows'), 'a file where the folder should be');
		const lines = open(100);
		lines.add('one');
		await lines.flush();
		assert.deepEqual(lines.read(), []);
		rmSync(join(folder, 'windows'));
		lines.add('two');
		await eventually(there, ['two']);
	});
});
