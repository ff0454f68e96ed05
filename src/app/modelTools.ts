import type { LanguageTools } from '../editor/models/languageTools.ts';
import type { InboxFeature } from '../features/inbox/inboxFeature.ts';
import { listTools, type ListToolsParts } from '../features/lists/models/listTools.ts';
import { repositoryTools } from '../features/repositories/models/repositoryTools.ts';
import { ticketTools } from '../features/tickets/models/ticketTools.ts';

export interface ModelToolsParts extends ListToolsParts {
	readonly inbox: Pick<InboxFeature, 'tools'>;
}

/** Language model tools of all features. */
export function modelTools({ inbox, ...parts }: ModelToolsParts): LanguageTools {
	return { ...inbox.tools, ...ticketTools(parts), ...listTools(parts), ...repositoryTools(parts) };
}
