import * as v from 'valibot';
import { isAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { isForgeError } from '../../forge/forgeError.ts';
import { contentAreas, type ContentArea, type ForgeInstance, type Protocol } from '../../forge/instance.ts';
import { kept, time, type KeptText } from './keptText.ts';

/** Asks one area what it speaks. `undefined`: its answer does not tell. Throws ForgeError where none came. */
export type AskProtocol = (
	instance: Pick<ForgeInstance, 'areas'>,
	area: ContentArea,
	signal: AbortSignal,
) => Promise<Protocol | undefined>;

export interface FoundProtocolsParts {
	readonly ask: AskProtocol;
	/** One text for all accounts and windows: nothing in it is anybody's. */
	readonly kept: KeptText;
	readonly clock: Clock;
}

/** What areas speak whose settings do not say it, as they answered (docs/protocol.md#finding-the-protocol). Sends nothing by itself. */
export interface FoundProtocols extends Disposable {
	/** The same forge with what its areas said; what the settings say stays. */
	withFound(instance: ForgeInstance): ForgeInstance;
	/**
	 * Asks an area that nobody has asked for a day; nothing, and no promise, where it is known. Throws ForgeError where
	 * nothing is known of it and no answer came: then a request would come to nothing, too.
	 */
	find(instance: ForgeInstance, area: ContentArea, signal: AbortSignal): Promise<void> | undefined;
	/** An area answered as one does that speaks another protocol: it is asked once more, but not over and over. */
	doubt(instance: ForgeInstance, area: ContentArea): void;
	/** An area speaks something else than it was known for. */
	readonly onDidChange: Event<void>;
}

const minuteMs = 60_000;
/** A server may have been made newer since. */
const freshMs = 24 * 60 * minuteMs;
/** Things that are missing look the same, and are asked for all the time. */
const betweenDoubtsMs = 10 * minuteMs;
const mostKept = 100;

const findings = v.record(v.string(), v.object({ protocol: v.picklist(['rest', 'graphql']), atMs: time }));
type Findings = v.InferOutput<typeof findings>;
type Finding = Findings[string];

/** What was found is kept over restarts by the addresses of areas. */
export function foundProtocols({ ask, kept: place, clock }: FoundProtocolsParts): FoundProtocols {
	const ending = new AbortController();
	const changed = new Emitter<void>();
	const written = kept<Findings>(place, findings, {});
	/** By this window, also where it could not be written down. */
	const own = new Map<string, Finding>();
	const askedMs = new Map<string, number>();
	/** Those whose last answer told nothing. */
	const unclear = new Set<string>();

	function found(origin: string): Finding | undefined {
		const theirs = written()[origin];
		const ours = own.get(origin);
		return ours === undefined || (theirs !== undefined && theirs.atMs > ours.atMs) ? theirs : ours;
	}

	async function look(instance: ForgeInstance, area: ContentArea, signal: AbortSignal): Promise<void> {
		const origin = instance.areas[area];
		askedMs.set(origin, clock.nowMs());
		const protocol = await ask(instance, area, AbortSignal.any([signal, ending.signal]));
		if (protocol === undefined) {
			unclear.add(origin);
			return;
		}
		unclear.delete(origin);
		const before = found(origin)?.protocol ?? 'rest';
		own.set(origin, { protocol, atMs: clock.nowMs() });
		const all = Object.entries({ ...written(), ...Object.fromEntries(own) });
		const newest = all.toSorted(([, one], [, other]) => other.atMs - one.atMs).slice(0, mostKept);
		place.write(JSON.stringify(Object.fromEntries(newest))).catch(() => undefined);
		if (before !== protocol) {
			changed.fire();
		}
	}

	/** Of one that is known by an earlier answer, which counts until there is another one. */
	async function lookAgain(instance: ForgeInstance, area: ContentArea, signal: AbortSignal): Promise<void> {
		try {
			await look(instance, area, signal);
		} catch (error) {
			if (isAbort(error) || !isForgeError(error)) {
				throw error;
			}
		}
	}

	const isRecent = (origin: string, withinMs: number): boolean =>
		clock.nowMs() - (askedMs.get(origin) ?? Number.NEGATIVE_INFINITY) < withinMs;

	return {
		withFound(instance) {
			const protocols = Object.fromEntries(
				contentAreas.map((area) => [area, instance.protocols[area] ?? found(instance.areas[area])?.protocol]),
			);
			return { ...instance, protocols };
		},
		find(instance, area, signal) {
			const origin = instance.areas[area];
			const known = found(origin);
			if (known !== undefined) {
				const isFresh = Math.abs(clock.nowMs() - known.atMs) < freshMs || isRecent(origin, betweenDoubtsMs);
				return isFresh ? undefined : lookAgain(instance, area, signal);
			}
			const isSaid = instance.protocols[area] !== undefined;
			return isSaid || (unclear.has(origin) && isRecent(origin, minuteMs)) ? undefined : look(instance, area, signal);
		},
		doubt(instance, area) {
			const origin = instance.areas[area];
			if (found(origin) !== undefined && !isRecent(origin, betweenDoubtsMs)) {
				lookAgain(instance, area, ending.signal).catch(() => undefined);
			}
		},
		onDidChange: changed.event,
		dispose() {
			ending.abort();
			changed.dispose();
		},
	};
}
