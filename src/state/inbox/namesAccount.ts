import type { OwnerName } from '../../forge/user.ts';
import { referencesIn } from '../../text/references.ts';

/** Whether a text names somebody, as forges read it. */
export function namesAccount(text: string, me: OwnerName): boolean {
	return referencesIn(text, []).some(
		(found) =>
			'written' in found && found.written.kind === 'user' && found.written.owner.toLowerCase() === me.toLowerCase(),
	);
}
