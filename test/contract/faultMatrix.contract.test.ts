import assert from 'node:assert/strict';
import { inspect, isDeepStrictEqual } from 'node:util';
import type { Clock } from '@forge-desk/base/clock.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { Forge } from 'sourcehut/port/forge.ts';
import { mayHaveArrived } from 'sourcehut/port/mayHaveArrived.ts';
import { openNet, type Net } from 'sourcehut/net.ts';
import { gitReads } from '../../src/app/machine/gitReads.ts';
import { directTransport, instanceOf, protocolSuite, systemClock } from '../support/contractForge.ts';
import { counts, seed } from '../support/counts.ts';
import {
	type AtDoor,
	type DeadEnd,
	doneFaultKinds,
	type FaultDoor,
	faultKinds,
	type FaultKind,
	openDeadEnds,
	openFaultDoor,
} from './support/faultDoor.ts';
import { testMachine } from '../support/localMachine.ts';
import { limitMs } from '../support/pace.ts';
import { testInBoth } from '../support/parts.ts';
import { allReadings, type Reading, writings } from './support/portCalls.ts';
import { isInDoubt } from '../../src/store/shared/sentOnce.ts';
import { throughStores, Unclear } from './support/throughStores.ts';
import { keepProofTable } from '../support/proofTable.ts';
import { randomFrom } from '../support/randomFrom.ts';

/** Deadlines shrink to less than a second and pauses to milliseconds. The faults stay the same. */
const hastyClock: Clock = {
	...systemClock,
	after: (delayMs, work) => systemClock.after(delayMs < 10_000 ? delayMs / 50 : 800, work),
};

interface PageLike {
	readonly items: readonly unknown[];
	readonly completeness: { readonly kind: string };
}

function isPages(value: unknown): value is readonly PageLike[] {
	return (
		Array.isArray(value) && value.every((each) => typeof each === 'object' && each !== null && 'completeness' in each)
	);
}

/** Servers encrypt cursors, so the same position has a different cursor each time. */
function withoutCursors(found: unknown): unknown {
	return isPages(found) ? found.map((page) => ({ ...page, next: undefined })) : found;
}

/** A list that claims to have more items. */
function isMarkedLesser(found: unknown): boolean {
	return isPages(found) && found.at(-1)?.completeness.kind === 'more';
}

/** A shortened list must not claim to be complete or show duplicates. */
function dishonesty(found: unknown, truth: unknown): string | undefined {
	if (!isPages(found) || !isPages(truth)) {
		return undefined;
	}
	const items = found.flatMap((page) => page.items);
	const all = truth.flatMap((page) => page.items);
	if (new Set(items.map((item) => JSON.stringify(item))).size < items.length) {
		return 'it shows an item twice';
	}
	const isCalledWhole = found.at(-1)?.completeness.kind === 'complete';
	return isCalledWhole && items.length < all.length
		? `it calls itself complete with ${items.length} of ${all.length}`
		: undefined;
}

/** The client can't detect a server that answers 200 to a write and does nothing. */
const writeFaults = [...faultKinds.filter(({ isLie }) => isLie !== true), ...doneFaultKinds];

/** A read that returns neither the truth nor a partial mark. `mayDiffer`: the client cannot know the truth. */
function readProblem(found: unknown, truth: unknown, mayDiffer: boolean): string | undefined {
	return mayDiffer || isMarkedLesser(found) ? dishonesty(found, truth) : 'it is something else';
}

/** Without a connection the client knows that it sent nothing. */
function unsentProblem(kind: FaultKind | DeadEnd, error: unknown): string | undefined {
	const isUnsent = 'origin' in kind && kind.isUnsent;
	return isUnsent && (!isForgeError(error) || mayHaveArrived(error))
		? `not called unsent (${inspect(error)})`
		: undefined;
}

/** A wrong or unclear result of a write; `effects` counts its traces on the forge. */
function writeProblem(error: unknown, effects: number, mayBeMissing: boolean): string | undefined {
	if (effects !== 0 && effects !== 1) {
		return `done ${effects} times`;
	}
	if (error === undefined) {
		return effects === 1 ? undefined : 'called done, but nothing changed';
	}
	if (!isForgeError(error)) {
		return `failed with ${inspect(error)}`;
	}
	const isKnown = mayHaveArrived(error) || (mayBeMissing && error.problem.kind === 'notFound');
	return effects === 1 && !isKnown ? `called not done (${error.message}), but it was` : undefined;
}

/** The same for a write through the stores, which look up the result. */
function toldProblem(error: unknown, effects: number): string | undefined {
	if (effects !== 0 && effects !== 1) {
		return `done ${effects} times`;
	}
	if (error instanceof Unclear || isInDoubt(error)) {
		return undefined;
	}
	if (error !== undefined && !isForgeError(error)) {
		return `failed with ${inspect(error)}`;
	}
	const isToldDone = error === undefined || error.isDone;
	return isToldDone === (effects === 1)
		? undefined
		: `told ${isToldDone ? 'done' : `failed (${error.message})`}, but ${effects}`;
}

/** `count` items, evenly spaced from a random start. */
function sample<T>(all: readonly T[], count: number, random: () => number): readonly T[] {
	const start = Math.floor(random() * all.length);
	return Array.from({ length: Math.min(count, all.length) }, (_, index) => all[(start + index) % all.length]).filter(
		(each) => each !== undefined,
	);
}

protocolSuite('fault matrix', {}, ({ dialect, forge }) => {
	const doors: FaultDoor[] = [];
	const rejections: unknown[] = [];
	const onRejection = (reason: unknown): void => void rejections.push(reason);
	let net: Net;
	let machine: ReturnType<typeof testMachine>;
	let readings: readonly Reading[] = [];
	let connect: (origin?: string) => Forge;
	let deadEnds: Awaited<ReturnType<typeof openDeadEnds>>;
	const random = randomFrom(seed());

	suiteSetup(async () => {
		process.on('unhandledRejection', onRejection);
		machine = testMachine();
		const git = gitReads(machine.git, machine.folder);
		net = openNet({ transport: directTransport, clock: hastyClock, random, git });
		const { sample: real } = forge();
		const open = async (origin: string): Promise<string> => {
			const door = await openFaultDoor(origin);
			doors.push(door);
			return door.origin;
		};
		const { areas, hub, ...rest } = instanceOf(real);
		const instance = {
			...rest,
			areas: {
				...areas,
				todo: await open(areas.todo ?? ''),
				git: await open(areas.git ?? ''),
				lists: await open(areas.lists ?? ''),
			},
			...(hub === undefined ? {} : { hub: await open(hub) }),
		};
		connect = (to) => {
			const dead = to === undefined ? {} : { areas: { meta: to, todo: to, git: to, lists: to } };
			return net.connectForge({ instance: { ...instance, ...dead }, me: '~alice', tokenFor: () => real.tokens.alice });
		};
		deadEnds = await openDeadEnds();
		readings = await allReadings(forge().as('alice'));
	});

	suiteTeardown(async () => {
		await net.close();
		await Promise.all([deadEnds, ...doors].map((door) => door.stop()));
		machine.remove();
		process.off('unhandledRejection', onRejection);
	});

	/** Runs a call under a fault. */
	const faulty = async <T>(
		fault: FaultKind | DeadEnd,
		isMet: (at: AtDoor, only: number | undefined) => boolean,
		work: (forge: Forge) => Promise<T>,
	): Promise<T> => {
		if ('origin' in fault) {
			return work(connect(fault.origin));
		}
		doors.forEach((door) => door.arm(fault.play, (at) => isMet(at, fault.only)));
		try {
			return await work(connect());
		} finally {
			doors.forEach((door) => door.arm(undefined));
		}
	};

	/** Outcomes per fault: reads, then writes. */
	const cells = new Map<string, Record<'right' | 'lesser' | 'refused' | 'done' | 'unheard' | 'undone', number>>();
	const count = (
		kind: FaultKind | DeadEnd,
		outcome: 'right' | 'lesser' | 'refused' | 'done' | 'unheard' | 'undone',
	): void => {
		const row = cells.get(kind.name) ?? { right: 0, lesser: 0, refused: 0, done: 0, unheard: 0, undone: 0 };
		row[outcome] += 1;
		cells.set(kind.name, row);
	};

	testInBoth('every read returns the truth or a typed problem under any fault', async function () {
		this.timeout(limitMs(3_600_000));
		const wrong: string[] = [];
		for (const { name, read, isUnproven = false } of readings) {
			const truth = withoutCursors(await read(forge().as('alice')));
			if (truth === undefined) {
				continue;
			}
			const all = [...faultKinds, ...deadEnds.all];
			for (const kind of sample(all, counts({ least: 1, first: 2, small: 4, full: all.length }), random)) {
				const isMet = ({ number }: AtDoor, only: number | undefined): boolean => only === undefined || only === number;
				try {
					const found = withoutCursors(await faulty(kind, isMet, async (through) => await read(through)));
					// `assert.deepEqual` takes gigabytes to describe how large values differ.
					const isRight = isDeepStrictEqual(found, truth);
					const problem = isRight ? undefined : readProblem(found, truth, isUnproven || kind.isOtherContent === true);
					wrong.push(...(problem === undefined ? [] : [`${name} under "${kind.name}": ${problem}`]));
					count(kind, isRight ? 'right' : 'lesser');
				} catch (error) {
					wrong.push(...(isForgeError(error) ? [] : [`${name} under "${kind.name}": ${inspect(error)}`]));
					count(kind, 'refused');
				}
			}
		}
		assert.deepEqual(wrong, []);
		assert.deepEqual(rejections, []);
	});

	for (const isForOne of [true, false]) {
		testInBoth(
			`stores report every write as done, not done or unknown when the fault hits ${isForOne ? 'the write' : 'all that follows'}`,
			async function () {
				this.timeout(limitMs(3_600_000));
				// A forge that reports everything missing, or every list empty, lies about its content.
				const faults = writeFaults.filter(({ name }) => isForOne || !/^404|^410|empty list|below missing/.test(name));
				const wrong: string[] = [];
				let number = 0;
				for (const { name, prepare } of writings.filter((each) => !each.name.includes('webhook'))) {
					for (const kind of sample(faults, counts({ least: 1, first: 1, small: 2, full: faults.length }), random)) {
						number += 1;
						const prepared = await prepare(forge().as('alice'), `told-${isForOne ? 1 : 0}-${number}`);
						if (prepared === undefined) {
							break;
						}
						let isBroken = false;
						const isMet = ({ isWrite }: AtDoor): boolean => {
							const isFirst = isWrite && !isBroken;
							isBroken ||= isWrite;
							return isFirst || (isBroken && !isForOne);
						};
						const error = await faulty(kind, isMet, async (through) => {
							const stores = throughStores(through, hastyClock);
							try {
								await prepared.write(stores);
							} finally {
								stores.dispose();
							}
						}).then(
							() => undefined,
							(thrown: unknown) => thrown,
						);
						const problem = toldProblem(error, await prepared.effects());
						wrong.push(...(problem === undefined ? [] : [`${name} under "${kind.name}": ${problem}`]));
					}
				}
				assert.deepEqual(wrong, []);
				assert.deepEqual(rejections, []);
			},
		);
	}

	testInBoth('every write happens at most once, and the client reports its result correctly', async function () {
		this.timeout(limitMs(3_600_000));
		const wrong: string[] = [];
		let number = 0;
		for (const { name, prepare, mayBeMissing = false } of writings) {
			const all = [...writeFaults, ...deadEnds.all];
			for (const kind of sample(all, counts({ least: 1, first: 1, small: 3, full: all.length }), random)) {
				number += 1;
				const prepared = await prepare(forge().as('alice'), `mark-${number}`);
				if (prepared === undefined) {
					break;
				}
				let writes = 0;
				const isMet = ({ isWrite }: AtDoor): boolean => isWrite && (writes += 1) === 1;
				const error = await faulty(kind, isMet, async (through) => await prepared.write(through)).then(
					() => undefined,
					(thrown: unknown) => thrown,
				);
				const effects = await prepared.effects();
				const problem = unsentProblem(kind, error) ?? writeProblem(error, effects, mayBeMissing);
				wrong.push(...(problem === undefined ? [] : [`${name} under "${kind.name}": ${problem}`]));
				count(kind, error === undefined ? 'done' : effects === 1 ? 'unheard' : 'undone');
			}
		}
		assert.deepEqual(wrong, []);
		assert.deepEqual(rejections, []);
		const head = ['fault', 'right', 'lesser, marked', 'refused', 'written', 'written, in doubt', 'not written'];
		keepProofTable(`Fault matrix, ${dialect}`, [
			head,
			...[...faultKinds, ...doneFaultKinds, ...deadEnds.all].flatMap(({ name }) => {
				const row = cells.get(name);
				return row ? [[name, row.right, row.lesser, row.refused, row.done, row.unheard, row.undone]] : [];
			}),
		]);
	});
});
