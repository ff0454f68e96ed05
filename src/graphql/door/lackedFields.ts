import type { Clock } from '../../base/clock.ts';
import type { ContentArea } from '../../forge/instance.ts';
import type { LearntFacts } from '../../forge/learntFacts.ts';
import type { GraphqlError } from './answer.ts';
import type { Document, DocumentPart, TypeField } from './document.ts';
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

const dayMs = 86_400_000;

/** A server may have been made newer since, so what was learnt is forgotten with the day. */
export function lackedFields(learnt: LearntFacts, clock: Clock): LackedFields {
	const factOf = (area: ContentArea, { type, field }: TypeField, day: number): string =>
		`lacks:${area}:${type}.${field}@${day}`;
	const today = (): number => Math.floor(clock.nowMs() / dayMs);
	const isLacked = (area: ContentArea, field: TypeField): boolean => learnt.has(factOf(area, field, today()));

	return {
		textOf(area, document) {
			return document.withoutFields((field) => isLacked(area, field));
		},
		besideOthers(area, document, prefix) {
			return document.beside(prefix, (field) => isLacked(area, field));
		},
		learnFrom(area, document, errors) {
			const fresh = errors.flatMap((error) => {
				const field = lackedField(error);
				return field && !isLacked(area, field) ? [field] : [];
			});
			const before = document.withoutFields((field) => isLacked(area, field));
			for (const field of fresh) {
				learnt.learn(factOf(area, field, today() - 1), false);
				learnt.learn(factOf(area, field, today()), true);
			}
			return fresh.length > 0 && document.withoutFields((field) => isLacked(area, field)) !== before;
		},
	};
}
