import type { FilterTerm } from '../../../../src/engine/search/filterGrammar.ts';
import { quoteValue } from '../../../../src/engine/search/filterWords.ts';
import type { ListCondition, ListFilter } from '../../../../src/engine/search/mails/listFilter.ts';
import type { TicketCondition, TicketFilter } from '../../../../src/engine/search/ticketFilter.ts';

/** Prints a ticket filter. Parsing the text gives the same terms in the same order, the sort order last. */
export function printFilter({ terms, sort }: TicketFilter): string {
	return [...printTerms(terms), ...(sort ? [`${sort.isReversed ? 'rsort' : 'sort'}:${sort.key}`] : [])].join(' ');
}

/** Prints a list filter. Parsing the text gives the same terms in the same order. */
export function printListFilter({ terms }: Pick<ListFilter, 'terms'>): string {
	return printTerms(terms).join(' ');
}

function printTerms(terms: readonly FilterTerm<TicketCondition | ListCondition>[]): readonly string[] {
	return terms.map(({ condition, isNegated }) => `${isNegated ? '!' : ''}${printCondition(condition)}`);
}

function printCondition(condition: TicketCondition | ListCondition): string {
	switch (condition.kind) {
		case 'status':
			return `status:${quoteValue(condition.status)}`;
		case 'submitter':
		case 'assigned':
		case 'from':
		case 'to':
		case 'cc':
			return `${condition.kind}:${condition.person.kind === 'me' ? 'me' : quoteValue(condition.person.name)}`;
		case 'label':
			return `label:${quoteValue(condition.name)}`;
		case 'no':
		case 'is':
			return `${condition.kind}:${condition.what}`;
		case 'prefix':
			return `prefix:${quoteValue(condition.prefix)}`;
		case 'sent':
			return `sender-timestamp:${condition.written}`;
		case 'header':
			return `${condition.name}:${quoteValue(condition.value)}`;
		case 'text': {
			// In quotes, the parser finds no key and no `!` in it.
			const { text } = condition;
			const needsQuotes = text === '' || text.startsWith('!') || /[\s"'\\:]/.test(text);
			return needsQuotes ? `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"` : text;
		}
	}
}
