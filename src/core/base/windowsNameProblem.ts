import { baseMessages } from '../messages/base.ts';
import type { Message } from '../messages/message.ts';
import type { UnfitPart } from './windowsNames.ts';

/** Why Windows cannot hold a name, as the part of a sentence. */
export function whyUnfit({ part, fault, character = '' }: UnfitPart): Message {
  switch (fault) {
    case 'device':
      return baseMessages.windowsDevice({ part: JSON.stringify(part) });
    case 'character':
      return baseMessages.windowsCharacter({ character: JSON.stringify(character) });
    case 'end':
      return baseMessages.windowsEnd({ part: JSON.stringify(part) });
  }
}
