import type { Clock } from '@forge-desk/base/clock.ts';
import type { ContentArea } from '../../port/instance.ts';
import type { LearntFacts } from '../../port/learntFacts.ts';
import type { GraphqlError } from './answer.ts';
import type { Document, TypeField } from './document.ts';
import { missingField } from './problems.ts';

const written = /^lacks:(\w+:\w+\.\w+)@(\d+)$/;

export type MissingFields = ReturnType<typeof missingFields>;

/**
 * Remembers fields that a server lacks, and removes them from queries (docs/protocol.md#graphql-at-the-door). Each field
 * expires after a day, because an update may have added it.
 */
export function missingFields(learnt: LearntFacts, clock: Clock) {
	/** The facts as stored, by area and field. */
	const kept = new Map(
		learnt.all().flatMap((fact) => {
			const [, name, learntMs] = written.exec(fact) ?? [];
			return name === undefined ? [] : [[name, { fact, learntMs: Number(learntMs) }] as const];
		}),
	);

	/** The area's missing fields at this moment. Also removes expired facts of all areas. */
	function lackingNow(area: ContentArea): (field: TypeField) => boolean {
		const nowMs = clock.nowMs();
		for (const [name, { fact, learntMs }] of kept) {
			if (!isKeptForADay(learntMs, nowMs)) {
				kept.delete(name);
				learnt.learn(fact, false);
			}
		}
		return (field) => kept.has(nameOf(area, field));
	}

	/** The document's text without fields that the server lacks. */
	function textOf(area: ContentArea, document: Document): string {
		const isLacking = lackingNow(area);
		return kept.size === 0 ? document.text : document.withoutFields(isLacking);
	}

	return {
		textOf,
		/** The same for a document in a batch. */
		besideOthers: (area: ContentArea, document: Document, prefix: string) => document.beside(prefix, lackingNow(area)),
		/** Learns from errors. True if it learnt new fields, so that a retry makes sense. */
		learnFrom(area: ContentArea, document: Document, errors: readonly GraphqlError[]): boolean {
			const fields = errors.flatMap((error) => missingField(error) ?? []);
			if (fields.length === 0) {
				return false;
			}
			const before = textOf(area, document);
			const fresh = fields.filter((field) => !kept.has(nameOf(area, field)));
			for (const field of fresh) {
				const learntMs = clock.nowMs();
				const name = nameOf(area, field);
				const fact = `lacks:${name}@${learntMs}`;
				kept.set(name, { fact, learntMs });
				learnt.learn(fact, true);
			}
			return fresh.length > 0 && textOf(area, document) !== before;
		},
	};
}

function nameOf(area: ContentArea, { type, field }: TypeField): string {
	return `${area}:${type}.${field}`;
}

const dayMs = 86_400_000;

/**
 * True within a day of learning: an update may have changed the server since. After the clock was set back, facts from
 * the future expire.
 */
export function isKeptForADay(learntMs: number, nowMs: number): boolean {
	return learntMs <= nowMs && nowMs - learntMs < dayMs;
}
