import { below } from '../door/below.ts';
import { graphql } from '../door/document.ts';
import { mailWithThread } from './listAnswers.ts';
import { droppableOfMail, mailWithThreadFields } from './listPieces.ts';

/** One mail by its Message-ID, in whatever list, as servers of 2023 find it and later ones do not. */
export const findMailAnywhere = {
	area: 'lists',
	scope: 'emails:read',
	document: graphql(
		`query MailAnywhere($messageId: String!) { # Query
		message(messageID: $messageId) { # Email
			${mailWithThreadFields}
		}
	}`,
		droppableOfMail,
	),
	read: below(['message'], mailWithThread),
} as const;
