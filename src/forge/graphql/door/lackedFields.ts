import type { Clock } from '../../../base/clock.ts';
import type { ContentArea } from '../../port/instance.ts';
import type { LearntFacts } from '../../port/learntFacts.ts';
import type { GraphqlError } from './answer.ts';
import type { Document, DocumentPart, TypeField } from './document.ts';
import { isKeptForADay } from './keptForADay.ts';
import { lackedField } from './problems.ts';

/** Remembers fields that a server lacks, and removes them from queries (docs/protocol.md#graphql-at-the-door). */
export interface LackedFields {
	/** The document's text without fields that the server lacks. */
	textOf(area: ContentArea, document: Document): string;
	/** The same for a document in a batch. */
	besideOthers(area: ContentArea, document: Document, prefix: string): DocumentPart | undefined;
	/** Learns from errors. True if it learnt new fields, so that a retry makes sense. */
	learnFrom(area: ContentArea, document: Document, errors: readonly GraphqlError[]): boolean;
}

const written = /^lacks:(\w+:\w+\.\w+)@(\d+)$/;

/** A missing field as the learnt facts store it. */
interface KeptLack {
	readonly fact: string;
	readonly learntMs: number;
}

/** Each field expires after a day, because an update may have added it. */
export function lackedFields(learnt: LearntFacts, clock: Pick<Clock, 'nowMs'>): LackedFields {
	const kept = new Map(learnt.all().flatMap(keptLack));
	const texts = workedOut<string>();
	const parts = workedOut<DocumentPart | undefined>();

	function forgetTexts(): void {
		texts.forget();
		parts.forget();
	}

	/** The area's missing fields at this moment. Also removes expired facts of all areas. */
	function lackingNow(area: ContentArea): (field: TypeField) => boolean {
		const nowMs = clock.nowMs();
		for (const [name, { fact, learntMs }] of kept) {
			if (!isKeptForADay(learntMs, nowMs)) {
				kept.delete(name);
				learnt.learn(fact, false);
				forgetTexts();
			}
		}
		return (field) => kept.size > 0 && kept.has(nameOf(area, field));
	}

	function learn(name: string): void {
		const learntMs = clock.nowMs();
		const fact = `lacks:${name}@${learntMs}`;
		kept.set(name, { fact, learntMs });
		learnt.learn(fact, true);
		forgetTexts();
	}

	return {
		textOf(area, document) {
			const isLacking = lackingNow(area);
			return texts.of(document, area, () => document.withoutFields(isLacking));
		},
		besideOthers(area, document, prefix) {
			const isLacking = lackingNow(area);
			return parts.of(document, `${area} ${prefix}`, () => document.beside(prefix, isLacking));
		},
		learnFrom(area, document, errors) {
			const fields = errors.flatMap((error) => lackedField(error) ?? []);
			if (fields.length === 0) {
				return false;
			}
			const isLacking = lackingNow(area);
			const before = document.withoutFields(isLacking);
			const fresh = fields.filter((field) => !isLacking(field));
			fresh.forEach((field) => learn(nameOf(area, field)));
			return fresh.length > 0 && document.withoutFields(isLacking) !== before;
		},
	};
}

/** Cache of values per document and purpose. */
interface WorkedOut<T> {
	/** Calls `make` only for the first request since the last `forget`. */
	of(document: Document, purpose: string, make: () => T): T;
	forget(): void;
}

/** Building the text is the costliest part of a query on our side, and the text rarely changes. */
function workedOut<T>(): WorkedOut<T> {
	let made = new WeakMap<Document, Map<string, { readonly value: T }>>();
	return {
		of(document, purpose, make) {
			const ofDocument = made.get(document) ?? new Map<string, { readonly value: T }>();
			made.set(document, ofDocument);
			const one = ofDocument.get(purpose) ?? { value: make() };
			ofDocument.set(purpose, one);
			return one.value;
		},
		forget() {
			made = new WeakMap();
		},
	};
}

function nameOf(area: ContentArea, { type, field }: TypeField): string {
	return `${area}:${type}.${field}`;
}

function keptLack(fact: string): readonly (readonly [string, KeptLack])[] {
	const [, name, learntMs] = written.exec(fact) ?? [];
	return name === undefined ? [] : [[name, { fact, learntMs: Number(learntMs) }]];
}
