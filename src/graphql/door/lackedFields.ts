import type { Clock } from '../../base/clock.ts';
import type { ContentArea } from '../../forge/instance.ts';
import type { LearntFacts } from '../../forge/learntFacts.ts';
import type { GraphqlError } from './answer.ts';
import type { Document, DocumentPart, TypeField } from './document.ts';
import { isKeptForADay } from './keptForADay.ts';
import { lackedField } from './problems.ts';

/** Fields that a server does not have, which are left out of what it is asked (docs/protocol.md#graphql-at-the-door). */
export interface LackedFields {
	/** A document as this server understands it, as far as is known. */
	textOf(area: ContentArea, document: Document): string;
	/** The same of what of it stands beside others. */
	besideOthers(area: ContentArea, document: Document, prefix: string): DocumentPart | undefined;
	/** Learns from a refusal. True: something is known now that was not, and the question may be asked once more. */
	learnFrom(area: ContentArea, document: Document, errors: readonly GraphqlError[]): boolean;
}

const written = /^lacks:(\w+:\w+\.\w+)@(\d+)$/;

/** What is kept of a field, and since when. */
interface KeptLack {
	readonly fact: string;
	readonly learntMs: number;
}

/** A server may have been made newer since, so each field is forgotten a day after it was learnt. */
export function lackedFields(learnt: LearntFacts, clock: Pick<Clock, 'nowMs'>): LackedFields {
	const kept = new Map(learnt.all().flatMap(keptLack));
	const texts = workedOut<string>();
	const parts = workedOut<DocumentPart | undefined>();

	function forgetTexts(): void {
		texts.forget();
		parts.forget();
	}

	/** Which fields of an area count as lacking at this moment. What is older goes, whoever it is of. */
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

/** What was made of documents, each for a few purposes. */
interface WorkedOut<T> {
	/** `make` runs only where this was not made since the last `forget`. */
	of(document: Document, purpose: string, make: () => T): T;
	forget(): void;
}

/** Making a text takes longer than anything else that a question costs, and each is the same for as long as a window is open. */
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
