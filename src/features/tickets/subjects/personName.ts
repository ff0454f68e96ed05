import type { Participant } from '../../../forge/port/user.ts';
import { visibleLine } from '../../../engine/text/visible.ts';

/** Name of any participant as one line of plain text. */
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
