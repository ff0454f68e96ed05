import assert from 'node:assert/strict';
import { walkLimits } from '../../src/store/repositories/repositoryWalk.ts';
import type { HostileCase } from '../support/hostile/treeForge.ts';
import { hostileReader, type HostileWork } from '../support/hostile/treeReading.ts';
import { limitMs } from '../support/pace.ts';

/** The result: a problem kind, or the entry count and the reason for leaving some out. */
type Ending = string | readonly [entries: number | 'some', leftOut: string | undefined];

const { depth, entries: mostEntries } = walkLimits;

const cases: readonly (readonly [HostileCase, HostileWork, Ending])[] = [
	['millionEntries', 'folder', 'tooLarge'],
	['millionEntries', 'walk', 'tooLarge'],
	['millionEntries', 'compare', 'tooLarge'],
	// The root is always readable, with a file that explains the problem.
	['millionEntries', 'readDirectory', [1, undefined]],
	['asManyAsFit', 'readDirectory', [150_000, undefined]],
	['asManyAsFit', 'walk', [mostEntries, 'tooMany']],
	['itself', 'walk', [depth + 1, 'tooDeep']],
	['itself', 'compare', [0, 'tooDeep']],
	['itselfTwice', 'walk', [mostEntries, 'tooMany']],
	['itselfTwice', 'compare', [0, 'tooMany']],
	['chain', 'walk', [depth + 1, 'tooDeep']],
	['chain', 'compare', [0, 'tooDeep']],
	// A duplicate name, a reversed one and a valid one.
	['names', 'readDirectory', [3, undefined]],
	['names', 'walk', [3, undefined]],
	['widening', 'walk', ['some', 'tooMany']],
	['widening', 'compare', ['some', 'tooMany']],
	// Many large responses in flight at the same time.
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
	// No case may leave a file on disk.
	['otherBlob', 'saveFile', [0, 'otherSum']],
	['endlessBlob', 'saveFile', 'tooLarge'],
	['drippingBlob', 'saveFile', 'unreachable'],
];

const mostGrownBytes = 64 * 1024 * 1024;
/** Several times the cost of the most expensive case. */
const mostCpuMs = 5000;
/** A call has 30 seconds. For a download only idle time counts, so a slow drip has no upper limit. */
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
	// Stop an endless read before the next test.
	teardown(async () => {
		if (!isRead) {
			await reader.stop();
		}
	});

	for (const [hostile, work, ending] of cases) {
		test(`${hostile}, ${work}: ends as expected, in time and in little memory`, async () => {
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
