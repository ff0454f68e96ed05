import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { keepProofTable } from '../support/proofTable.ts';
import { testInProve } from '../support/testInProve.ts';

const steered = v.object({
	areas: v.object({ todo: v.string(), git: v.string() }),
	control: v.string(),
	tokens: v.object({ alice: v.string(), bob: v.string() }),
});

/** `FORGE_DESK_SOAK_MINUTES` shortens a trial of the test itself. */
const minutes = Number(process.env['FORGE_DESK_SOAK_MINUTES'] ?? 30);
const readsPerSecond = 20;
const deliveriesPerSecond = 5;
const tickets = 40;
/**
 * Additional deliveries per second in the first third. The listener remembers 10,000; a cache that still fills would
 * look like a leak.
 */
const fillingPerSecond = 12;

/** One request in twenty gets one of these, in turn. */
const faults = [
	{ kind: 'status', status: 500 },
	{ kind: 'status', status: 502 },
	{ kind: 'status', status: 503, headers: { 'Retry-After': '1' } },
	{ kind: 'status', status: 429, headers: { 'Retry-After': '1' } },
	{ kind: 'reset', at: 'headers' },
	{ kind: 'reset', at: 'middle' },
	{ kind: 'truncate' },
	{ kind: 'contentType' },
];

interface Measured {
	readonly minute: number;
	/** The heap without compiled code. */
	readonly dataMiB: number;
	/** Grows while V8 optimises functions, then settles. */
	readonly codeMiB: number;
	readonly residentMiB: number;
	readonly handles: number;
	readonly openFiles: number;
}

/** After two collections, so that the heap contains only reachable objects. */
async function measure(minute: number): Promise<Measured> {
	setFlagsFromString('--expose-gc');
	const collect: unknown = runInNewContext('gc');
	assert.ok(typeof collect === 'function');
	for (let round = 0; round < 2; round += 1) {
		Reflect.apply(collect, undefined, []);
		await delay(0);
	}
	const { heapUsed, rss } = process.memoryUsage();
	const codeUsed = getHeapSpaceStatistics()
		.filter(({ space_name: name }) => /^(?:code|trusted)_/.test(name))
		.reduce((sum, { space_used_size: used }) => sum + used, 0);
	return {
		minute,
		dataMiB: mebibytes(heapUsed - codeUsed),
		codeMiB: mebibytes(codeUsed),
		residentMiB: Math.round(rss / 2 ** 20),
		handles: process.getActiveResourcesInfo().filter((name) => name !== 'Timeout' && name !== 'Immediate').length,
		openFiles: process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0,
	};
}

function mebibytes(bytes: number): number {
	return Number((bytes / 2 ** 20).toFixed(1));
}

function median(values: readonly number[]): number {
	return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}

/** Compares the last third with the middle one: the first third fills caches up to their limits. */
function assertFlat(measured: readonly Measured[]): void {
	const third = Math.floor(measured.length / 3);
	const middle = measured.slice(third, 2 * third);
	const last = measured.slice(-third);
	const mostGrowth = { dataMiB: 1, handles: 2, openFiles: 2 };
	for (const figure of ['dataMiB', 'handles', 'openFiles'] as const) {
		const before = median(middle.map((each) => each[figure]));
		const after = median(last.map((each) => each[figure]));
		assert.ok(after <= before + mostGrowth[figure], `${figure} grew from ${before} to ${after}`);
	}
}

/** Only `npm run prove -- soak` starts the forge for this, and waits that long. */
const run = process.env['FORGE_DESK_STEERED'] === undefined ? (): void => undefined : testInProve;

suite('soak', () => {
	run('heap, handles and open files stay flat under reads, deliveries and faults', async function () {
		this.timeout((minutes + 10) * 60_000);
		const ready = v.parse(steered, JSON.parse(process.env['FORGE_DESK_SAMPLE_FORGE'] ?? '{}'));
		const control = async (path: string, body: object): Promise<void> => {
			await fetch(`${ready.control}${path}`, {
				method: 'POST',
				body: JSON.stringify(body),
				headers: { 'Content-Type': 'application/json' },
			}).then((response) => response.arrayBuffer());
		};
		const askControl = async (path: string): Promise<unknown> => (await fetch(`${ready.control}${path}`)).json();
		const put = async (url: string, body: object, token: string): Promise<number> => {
			const response = await fetch(url, {
				method: 'PUT',
				body: JSON.stringify(body),
				headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
			});
			await response.arrayBuffer();
			return response.ok ? 1 : 0;
		};
		const comment = (ticket: number, text: string): Promise<number> =>
			put(
				`${ready.areas.todo}/api/user/~alice/trackers/lantern/tickets/${ticket}`,
				{ comment: text },
				ready.tokens.bob,
			);
		/** Delivers without new data for the client's caches. */
		const describe = (description: string): Promise<number> =>
			put(`${ready.areas.git}/api/repos/lantern`, { description }, ready.tokens.alice);
		const counted = { reads: 0, failed: 0, comments: 0, changes: 0, faults: 0 };
		const read = async (name: string, input: object): Promise<void> => {
			counted.reads += 1;
			try {
				const source = new vscode.CancellationTokenSource();
				await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, source.token);
				source.dispose();
			} catch {
				counted.failed += 1;
			}
		};
		await vscode.commands.executeCommand('forge.sample.start');
		await vscode.commands.executeCommand('forge.webhooks.receive');
		await fetch(`${ready.control}/requests`, { method: 'DELETE' });

		const measured: Measured[] = [];
		const pending = new Set<Promise<unknown>>();
		const track = (work: Promise<unknown>): void => {
			const tracked = work.finally(() => pending.delete(tracked));
			pending.add(tracked);
		};
		const startedMs = performance.now();
		for (let second = 0; second < minutes * 60; second += 1) {
			for (let index = 0; index < readsPerSecond; index += 1) {
				const ticket = 1 + ((second * readsPerSecond + index) % tickets);
				track(
					index % 4 === 3
						? read('forge_readFile', { repository: '~alice/lantern', path: 'README.md' })
						: read('forge_getTicket', { ticket: `~alice/lantern#${ticket}` }),
				);
			}
			// Timelines grow with comments, so the heap comparison excludes them.
			const isFilling = second < minutes * 20;
			for (let index = 0; index < deliveriesPerSecond + (isFilling ? fillingPerSecond : 0); index += 1) {
				track(
					isFilling && index < deliveriesPerSecond
						? comment(1 + ((second + index) % tickets), `Soak ${second}.${index}`).then((count) => {
								counted.comments += count;
							})
						: describe(`Soak ${index}`).then((count) => {
								counted.changes += count;
							}),
				);
			}
			const fault = faults[second % faults.length];
			counted.faults += 1;
			track(control('/faults', { match: { method: 'GET' }, times: 1, fault }));
			if (second % 60 === 59) {
				await Promise.all(pending);
				measured.push(await measure((second + 1) / 60));
			}
			const aheadMs = startedMs + (second + 1) * 1000 - performance.now();
			await delay(Math.max(0, aheadMs));
		}
		await Promise.all(pending);
		const seconds = (performance.now() - startedMs) / 1000;
		const requests = v.parse(v.number(), await askControl('/requests/count')) - counted.comments - counted.changes;
		const webhooks = v.parse(v.array(v.string()), await askControl('/webhooks')).length;

		keepProofTable('Soak', [
			['minute', 'heap without code, MiB', 'compiled code, MiB', 'resident, MiB', 'handles', 'open files'],
			...measured.map(({ minute, dataMiB, codeMiB, residentMiB, handles, openFiles }): readonly number[] => [
				minute,
				dataMiB,
				codeMiB,
				residentMiB,
				handles,
				openFiles,
			]),
		]);
		keepProofTable('Soak, load', [
			[
				'seconds',
				'reads',
				'failed reads',
				'comments by another person',
				'changes of a repository',
				'faults',
				'requests',
				'webhooks',
			],
			[Math.round(seconds), ...Object.values(counted), requests, webhooks],
		]);
		assertFlat(measured);
		assert.ok(
			counted.failed < counted.reads / 2 && counted.comments > 0 && counted.changes > 0,
			JSON.stringify(counted),
		);
	});
});
