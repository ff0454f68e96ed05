import type { Participant } from '../../../forge/user.ts';
import { visibleLine } from '../../../text/visible.ts';

/** Somebody's name as one line of plain text, whether they have an account, an address only, or come from elsewhere. */
export function personName(person: Participant): string {
	switch (person.kind) {
		case 'user':
			return visibleLine(person.canonicalName);
		case 'email':
			return visibleLine(person.name ?? person.address);
		case 'external':
			return visibleLine(person.externalId);
	}
}
