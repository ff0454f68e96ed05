import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import type { ChildProcess } from 'node:child_process';
import { readyForge, type ReadyForge } from '../../harness/sampleForgeProcess.ts';
import { standFor } from '../../support/standFor.ts';

/** Waits for a fake process with this output. */
async function readyAfter(printed: string): Promise<ReadyForge> {
	const [stdout, stderr] = [new PassThrough(), new PassThrough()];
	const reading = readyForge(standFor<ChildProcess>(Object.assign(new EventEmitter(), { stdout, stderr })));
	stdout.end(printed);
	return await reading;
}

suite('started sample forge', () => {
	const address = 'http://127.0.0.1:1';
	const areas = { meta: address, todo: address, git: address, lists: address };

	for (const dialect of ['field', 'document', 'graphql']) {
		test(`is ready after its line, in the dialect ${dialect}`, async () => {
			const line = JSON.stringify({ ready: true, dialect, areas, hub: null });
			const forge = await readyAfter(`Making the world\n${line}\n`);
			assert.deepEqual([forge.line, forge.areas], [line, areas]);
		});
	}

	test('fails with a plain problem on another line', async () => {
		await assert.rejects(readyAfter('{"ready": false}\n'), /said something else/);
	});
});
