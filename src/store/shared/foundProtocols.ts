import * as v from 'valibot';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import {
	areasOf,
	originOf,
	protocolNames,
	type ContentArea,
	type ForgeInstance,
	type Protocol,
} from 'sourcehut/port/instance.ts';
import { kept, time, type KeptText } from './keptText.ts';

/**
 * Detects the protocol of one area. `undefined`: the response is ambiguous. Rejects with ForgeError without a response.
 */
export type AskProtocol = (
	instance: ForgeInstance,
	area: ContentArea,
	signal: AbortSignal,
) => Promise<Protocol | undefined>;

const minuteMs = 60_000;
/** The server may have been upgraded since. */
const freshMs = 24 * 60 * minuteMs;
/** A 404 looks the same as a wrong protocol, and 404s are frequent. */
const betweenDoubtsMs = 10 * minuteMs;
const mostKept = 100;

const findings = v.record(v.string(), v.object({ protocol: v.picklist(protocolNames), atMs: time }));
type Findings = v.InferOutput<typeof findings>;
type Finding = Findings[string];

/**
 * Detected protocols of areas without a setting (docs/protocol.md#finding-the-protocol). Sends requests only in `find`.
 */
export type FoundProtocols = ReturnType<typeof foundProtocols>;

/**
 * Stores findings by area origin. `place`: shared by all accounts and windows; contains no personal data.
 */
export function foundProtocols(ask: AskProtocol, place: KeptText, clock: Clock) {
	const ending = new AbortController();
	const changed = new Emitter<void>();
	const written = kept<Findings>(place, findings, {});
	/** Findings of this window, even if writing them failed. */
	const own = new Map<string, Finding>();
	const askedMs = new Map<string, number>();
	/** Areas with an ambiguous last response. */
	const unclear = new Set<string>();

	function found(origin: string): Finding | undefined {
		const theirs = written()[origin];
		const ours = own.get(origin);
		return ours === undefined || (theirs !== undefined && theirs.atMs > ours.atMs) ? theirs : ours;
	}

	async function look(instance: ForgeInstance, area: ContentArea, signal: AbortSignal): Promise<void> {
		const origin = originOf(instance, area);
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

	/** Repeats the detection; the old finding stays valid until then. */
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
		/** Adds detected protocols to an instance; settings win. */
		withFound(instance: ForgeInstance): ForgeInstance {
			const protocols = Object.fromEntries(
				areasOf(instance).map((area) => [area, instance.protocols[area] ?? found(originOf(instance, area))?.protocol]),
			);
			return { ...instance, protocols };
		},
		/**
		 * Detects the protocol of an area unless detected within a day; then returns no promise. Rejects with
		 * ForgeError if nothing is known and no response came: any other request would fail too.
		 */
		find(instance: ForgeInstance, area: ContentArea, signal: AbortSignal) {
			const origin = originOf(instance, area);
			const known = found(origin);
			if (known !== undefined) {
				const isFresh = Math.abs(clock.nowMs() - known.atMs) < freshMs || isRecent(origin, betweenDoubtsMs);
				return isFresh ? undefined : lookAgain(instance, area, signal);
			}
			const isSaid = instance.protocols[area] !== undefined;
			return isSaid || (unclear.has(origin) && isRecent(origin, minuteMs)) ? undefined : look(instance, area, signal);
		},
		/** After a response in another protocol: detects once more, rate-limited. */
		doubt(instance: ForgeInstance, area: ContentArea) {
			const origin = originOf(instance, area);
			if (found(origin) !== undefined && !isRecent(origin, betweenDoubtsMs)) {
				lookAgain(instance, area, ending.signal).catch(() => undefined);
			}
		},
		/** Fires when an area's protocol changes. */
		onDidChange: changed.event,
		dispose() {
			ending.abort();
			changed.dispose();
		},
	};
}
