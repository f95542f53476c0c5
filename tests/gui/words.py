"""What the window says in one language. The tests name messages as they stand in the sources; the German ones come from the
catalogue of the package, so that no German is written twice."""
import gettext
import re
import xml.etree.ElementTree as ET

CATALOGUE = "/usr/share/locale/{}/LC_MESSAGES/ruckelfrei.mo"
POLICY = "/usr/share/polkit-1/actions/io.github.ruckelfrei.policy"


class Words:
    def __init__(self, language):
        self.language = language
        with open(CATALOGUE.format("de"), "rb") as f:
            german = gettext.GNUTranslations(f)._catalog
        self.messages = german
        self.german = language == "de"

    def raw(self, message, context=None):
        key = f"{context}\x04{message}" if context else message
        if key not in self.messages:
            key = (key, 0)  # a message with a plural
        if key not in self.messages:
            raise AssertionError(f"the program has no translated message “{message}”")
        return self.messages[key] if self.german else message

    def __call__(self, message, context=None):
        """A pattern for the message; what is filled in at run time matches anything. Mnemonics are left out."""
        return self._pattern(self.raw(message, context))

    @staticmethod
    def _pattern(message):
        text = message.replace("_", "")
        parts = re.split(r"(%(?:\d+\$)?['0-9.]*(?:[lh]*[diufgs]|%))", text)
        return "".join(re.escape(p) if i % 2 == 0 else ("%" if p == "%%" else ".*") for i, p in enumerate(parts))

    def filled(self, message, *arguments):
        """The same with known words in the place of each %s."""
        text = self.raw(message).replace("_", "")
        for a in arguments:
            text = text.replace("%s", self.raw(a), 1)
        return re.escape(text)

    def plural(self, one, many):
        """A pattern for both forms of a message that counts something."""
        forms = [self.messages[(one, n)] for n in (0, 1)] if self.german else [one, many]
        return "|".join(self._pattern(form) for form in forms)

    def policy(self, action):
        """What the password dialog says for an action."""
        messages = ET.parse(POLICY).findall(f"action[@id='io.github.ruckelfrei.{action}']/message")
        text = next(m.text for m in messages if not m.attrib)
        if self.german:
            text = self.messages[text]
        return re.sub(r"\\\$\\\([a-z]+\\\)", ".*", re.escape(text))

    def any(self, *messages):
        return "|".join(f"(?:{self(m)})" for m in messages)
