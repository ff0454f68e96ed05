import assert from 'node:assert/strict';
import { walkLimits } from '../../src/store/repositories/repositoryWalk.ts';
import type { HostileCase } from '../support/hostile/treeForge.ts';
import { hostileReader, type HostileWork } from '../support/hostile/treeReading.ts';
import { limitMs } from '../support/pace.ts';

/** How it ends: in the kind of a problem, or in what was met and why that is not all. */
type Ending = string | readonly [entries: number | 'some', leftOut: string | undefined];

const { depth, entries: mostEntries } = walkLimits;

const cases: readonly (readonly [HostileCase, HostileWork, Ending])[] = [
	['millionEntries', 'folder', 'tooLarge'],
	['millionEntries', 'walk', 'tooLarge'],
	['millionEntries', 'compare', 'tooLarge'],
	// The root is there whatever happens, and a file in it says what is the matter.
	['millionEntries', 'readDirectory', [1, undefined]],
	['asManyAsFit', 'readDirectory', [150_000, undefined]],
	['asManyAsFit', 'walk', [mostEntries, 'tooMany']],
	['itself', 'walk', [depth + 1, 'tooDeep']],
	['itself', 'compare', [0, 'tooDeep']],
	['itselfTwice', 'walk', [mostEntries, 'tooMany']],
	['itselfTwice', 'compare', [0, 'tooMany']],
	['chain', 'walk', [depth + 1, 'tooDeep']],
	['chain', 'compare', [0, 'tooDeep']],
	// One that is doubled, one that is written backwards, and one that is fine.
	['names', 'readDirectory', [3, undefined]],
	['names', 'walk', [3, undefined]],
	['widening', 'walk', ['some', 'tooMany']],
	['widening', 'compare', ['some', 'tooMany']],
	// Many large answers on their way at the same time.
	['flooding', 'walk', ['some', 'tooMany']],
	['flooding', 'compare', ['some', 'tooMany']],
	['otherTree', 'walk', 'notUnderstood'],
	['otherTree', 'compare', 'notUnderstood'],
	['otherBlob', 'readFile', 'notUnderstood'],
	['endlessTree', 'walk', 'tooLarge'],
	['endlessBlob', 'readFile', 'tooLarge'],
	['drippingTree', 'walk', 'unreachable'],
	['drippingTree', 'compare', 'unreachable'],
	['drippingBlob', 'readFile', 'unreachable'],
	// Whatever happens, nothing is left on the disk.
	['otherBlob', 'saveFile', [0, 'otherSum']],
	['endlessBlob', 'saveFile', 'tooLarge'],
	['drippingBlob', 'saveFile', 'unreachable'],
];

const mostGrownBytes = 64 * 1024 * 1024;
/** Several times what the dearest of them takes. */
const mostCpuMs = 5000;
/** A call has 30 seconds. Of a download only the waiting counts, so there is no saying how long it drips. */
const mostPassedMs = 35_000;

suite('hostile repositories', function () {
	this.timeout(limitMs(120_000));
	const reader = hostileReader();
	suiteTeardown(async () => {
		await reader.stop();
	});
	let isRead = false;
	setup(() => {
		isRead = false;
	});
	// What goes on without end is ended before the next begins.
	teardown(async () => {
		if (!isRead) {
			await reader.stop();
		}
	});

	for (const [hostile, work, ending] of cases) {
		test(`${hostile}, ${work}: ends as it should, in time, and in little memory`, async () => {
			const reading = await reader.read(hostile, work, mostGrownBytes);
			isRead = true;
			const { problem, entries, leftOut, cpuMs, passedMs, grownBytes } = reading;
			if (typeof ending === 'string') {
				assert.equal(problem, ending);
			} else {
				const [wanted, why] = ending;
				assert.deepEqual([problem, leftOut], [undefined, why]);
				assert.ok(wanted === 'some' ? (entries ?? 0) > 0 : entries === wanted, String(entries));
			}
			assert.ok(cpuMs < mostCpuMs, `${Math.round(cpuMs)} ms of CPU time`);
			assert.ok(
				work === 'saveFile' || passedMs < mostPassedMs,
				`${Math.round(passedMs)} ms by the clock of the client`,
			);
			assert.ok(grownBytes < mostGrownBytes, `${Math.round(grownBytes / 1024 / 1024)} MB`);
		});
	}
});
